/** Help text of `probity-scan --help`. */
export const HELP = `Usage: probity-scan --jsonl [options] [FILE|FOLDER...]
       probity-scan [options] FILE|FOLDER...
       probity-scan models check --config FILE

Scans texts for personal data, injection, toxicity, hallucination, false claims and protected text,
and prints a table on a terminal, and one line of JSON per text elsewhere.

With --jsonl, each line of the files (or of standard input, if no file is given) is a row:
  {"id", "task"?, "text", "prompt"?, "context"?}
Without --jsonl, each file is one text with the file name as its id; - is standard input.
A folder stands for the files in it and in its folders, by name; with --jsonl those that end in .jsonl.
Left out are .git, .hg, .svn, node_modules, .venv, __pycache__ and .cache, links, and binary files.
A binary file or PDF that is named is an error: extract its text first.

Output lines are in no fixed order:
  {"id", "scores": {"pii", "injection", "toxicity", "hallucination", "truth", "contamination"},
   "findings": [{"stage", "type", "start", "end", "score", "reason", "nugget"?}]}
Scores are from 0 to 1; higher is worse; the score of a disabled stage is null. Rows of the task sts
also have scores.similarity. An invalid row yields {"id"?, "line", "error"}; a row with a stage that
did not finish has "line" and "error" beside the findings so far.

Options:
  --jsonl            read rows of JSON Lines instead of plain texts
  --knowledge FILE   JSON array of true statements, for the score truth
  --protected FILE   JSON array of protected texts, for the score contamination
  --stages LIST      scores to compute or stages to run, comma separated (default: all but secrets);
                     with --config also terms and those of the stages of your own
  --config FILE      JSON pipeline configuration
                     ({"stages": [{"name", "module"?, "enabled"?, "options"?}]}), optionally with
                     "policies" and "backends" ("judge", "embedder", "classifiers", "meaning")
  --ext LIST         of folders only the files with these endings, comma separated: md,txt
  --threads N        number of scanning threads, 1 to 64 (default: 1)
  --format FORMAT    table or jsonl (default: table on a terminal, else jsonl)
  --min-score N      print no findings with a lower score, 0 to 1 (default: 0.3; 0 for JSON Lines with
                     --jsonl or --format jsonl); verdicts stay
  --fail-on VERDICT  flagged or blocked: exit code 3 when a text has this verdict or a worse one by the
                     policies of --config, by default the built-in one; the lines of JSON then have "verdict" and "reason"
  --no-progress      show no progress bar, even on a terminal
  --help             print this help
  --version          print the version

models check runs the classifiers of --config on the 301 ordinary sentences of this package and prints
those that a classifier takes for harmful, by kind.

A table shows line, column, stage, type and score of the findings that count for the verdict, and the
text with personal data and secrets masked. It is colored on a terminal unless NO_COLOR is set.

Exit code: 0 when every row was scanned, 1 when at least one was not, 2 when nothing could be scanned,
3 when --fail-on applies; models check: 0, 1 when a classifier takes more than 1 % of the sentences for
harmful, 2 when a classifier cannot be run.
`;
