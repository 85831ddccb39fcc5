/** Help text of `probity-scan --help`. */
export const HELP = `Usage: probity-scan --jsonl [options] [FILE...]
       probity-scan [options] FILE...

Scans texts for personal data, injection, toxicity, hallucination, false claims and protected text,
and prints one line of JSON per text.

With --jsonl, each line of the files (or of standard input, if no file is given) is a row:
  {"id", "task"?, "text", "prompt"?, "context"?}
Without --jsonl, each file is one text with the file name as its id; - is standard input.

Output lines are in no fixed order:
  {"id", "scores": {"pii", "injection", "toxicity", "hallucination", "truth", "contamination"},
   "findings": [{"stage", "type", "start", "end", "score", "nugget"?}]}
Scores are from 0 to 1; higher is worse; the score of a disabled stage is null. Rows of the task sts
also have scores.similarity. An invalid row yields {"id"?, "line", "error"}; a row with a stage that
did not finish has "line" and "error" beside the findings so far.

Options:
  --jsonl            read rows of JSON Lines instead of plain texts
  --knowledge FILE   JSON array of true statements, for the score truth
  --protected FILE   JSON array of protected texts, for the score contamination
  --stages LIST      scores to compute, comma separated (default: all)
  --config FILE      JSON pipeline configuration ({"stages": [{"name", "enabled", "options"}]}),
                     optionally with "backends" ("judge", "embedder", "classifiers")
  --threads N        number of scanning threads, 1 to 64 (default: 1)
  --no-progress      show no progress bar, even on a terminal
  --help             print this help
  --version          print the version

Exit code: 0 when every row was scanned, 1 when at least one was not, 2 when nothing could be scanned.
`;
