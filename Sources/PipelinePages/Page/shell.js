// Command lines and texts of several lines. Pure but for the ends of lines.
import { make } from "/dom.js";

/** The text of a command line's word. */
export function quoted(word) {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A text with its lines. What is not printed is made visible, and ends of lines are kept. */
export function lines(text) {
  return text.replace(/\n$/u, "").split("\n").map((row, number) => [number ? make("br", {}) : null, row]);
}
