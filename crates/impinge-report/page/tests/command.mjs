// The command, and a folder to run it in.

import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { reports } from "./browser.mjs";

const { IMPINGE_COMMAND } = process.env;
if (!IMPINGE_COMMAND) throw new Error("IMPINGE_COMMAND must name the command to test");
export const command = resolve(IMPINGE_COMMAND);
/// Where it runs; what it writes is opened as `commands/NAME`.
export const folder = join(reports, "commands");
mkdirSync(folder, { recursive: true });

/// Runs the command; it finds something, or it does not, but it does not fail.
export const impinge = (line) => run(command, line);

/// Runs the command of the papers' experiments, which lies beside it.
export const papers = (line) => run(command.replace(/impinge(\.exe)?$/, "impinge-papers$1"), line);

function run(program, line) {
  return new Promise((done, fail) => {
    execFile(program, line.split(" "), { cwd: folder }, (error, stdout) => {
      if (error && error.code !== 1) fail(error);
      else done(stdout);
    });
  });
}
