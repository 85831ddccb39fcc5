/** What `probity-scan --help` prints. */
export const HELP = `Usage: probity-scan --jsonl [options] [FILE...]
       probity-scan [options] FILE...

Scans texts for personal data, injection, toxicity, hallucination, false claims and protected text,
and prints a line of JSON for each.

With --jsonl, the files (or standard input, where none is named) have a row on each line:
  {"id", "task"?, "text", "prompt"?, "context"?}
Without it, each file is one text, and its name is the id; - is standard input.

A line of the output, in any order:
  {"id", "scores": {"pii", "injection", "toxicity", "hallucination", "truth", "contamination"},
   "findings": [{"stage", "type", "start", "end", "score", "nugget"?}]}
Scores are 0 to 1, higher is worse; null where the stage is off. Rows of the task sts
also get scores.similarity. A line that is no row is answered {"id"?, "line", "error"}; a row that a
stage did not scan to the end has its "line" and an "error" beside what was found.

Options:
  --jsonl            rows of JSON Lines instead of plain texts
  --knowledge FILE   JSON array of strings: what is true, for the score truth
  --protected FILE   JSON array of strings: what must not be repeated, for contamination
  --stages LIST      the scores to give, parted by commas (default: all)
  --config FILE      JSON: a pipeline configuration ({"stages": [{"name", "enabled", "options"}]}),
                     with "backends" to be asked for help ("judge", "embedder", "classifiers")
  --threads N        threads to scan in, 1 to 64 (default: 1)
  --no-progress      no progress bar, even on a terminal
  --help             print this
  --version          print the version

Exit code: 0 when every row was scanned, 1 when some were not, 2 when nothing could be done.
`;
