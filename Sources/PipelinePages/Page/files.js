// What is shown of the files of a folder. Pure: it touches no document.

/** `1 error`, `2 errors`. */
export function counting(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Findings in words, and the worst of them; no findings are "ok". */
export function findingsOf(file) {
  const count = (severity) => file.findings.filter((f) => f.severity === severity).length;
  const errors = count("error");
  const warnings = count("warning");
  const notes = count("note");
  const words = [
    errors && counting(errors, "error"),
    warnings && counting(warnings, "warning"),
    notes && counting(notes, "note"),
  ].filter(Boolean);
  return {
    level: errors ? "bad" : warnings ? "warn" : notes ? "idle" : "ok",
    text: words.length ? words.join(", ") : "no findings",
  };
}

const levels = {
  succeeded: "ok",
  failed: "bad",
  cancelled: "idle",
  running: "run",
  interrupted: "warn",
  waiting: "warn",
};

/** The state of a run, as a level. Requests in doubt come before all else. */
export function levelOf(run) {
  return run.inDoubt > 0 ? "warn" : (levels[run.status] ?? "idle");
}

/** What a run came to, in words. */
export function resultOf(run) {
  if (run.inDoubt > 0) return `${counting(run.inDoubt, "request")} in doubt`;
  if (run.status === "waiting") return "waits for an answer";
  return run.status === "failed" && run.failed > 0 ? `${run.failed} failed` : run.status;
}

/** The files that hold every word of a text in their path, name or description. */
export function matching(files, text) {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return files.filter((file) => {
    const all = `${file.path}\n${file.name}\n${file.description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The files with errors, and those whose last run failed, waits or left something in doubt. */
export function needing(files) {
  return files.filter(
    (file) => findingsOf(file).level === "bad" || (file.run && needsPerson(file.run)));
}

function needsPerson(run) {
  return run.inDoubt > 0 || ["failed", "interrupted", "waiting"].includes(run.status);
}

/**
 * A text whose controls and bidi marks are visible, so that none of it can pass for something else.
 */
export function visible(text) {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

const names = ["run", "recording", "only", "step", "filter", "other"];

/** What the address of the page asks for. */
export function viewOf(search) {
  const asked = new URLSearchParams(search);
  const place = /^(\d+):(\d+)$/u.exec(asked.get("at") ?? "");
  return {
    file: asked.get("file"), text: asked.get("q") ?? "", view: asked.get("view") ?? "write",
    place: place ? { line: place[1] - 1, character: place[2] - 1 } : null,
    row: /^\d+$/u.test(asked.get("row") ?? "") ? Number(asked.get("row")) : null,
    ignored: asked.getAll("ignored"),
    ...Object.fromEntries(names.map((name) => [name, asked.get(name)])),
  };
}

/** The address of a view. */
export function addressOf({ file, text, view, place, row, ignored, ...more }) {
  const asked = new URLSearchParams();
  if (file !== null && file !== undefined) asked.set("file", file);
  else if (text) asked.set("q", text);
  if (view && view !== "write") asked.set("view", view);
  if (place?.line !== undefined) asked.set("at", `${place.line + 1}:${place.character + 1}`);
  for (const name of names) if (more[name]) asked.set(name, more[name]);
  if (row !== null && row !== undefined) asked.set("row", row);
  for (const path of ignored ?? []) asked.append("ignored", path);
  const query = asked.toString();
  return query ? `/?${query}` : "/";
}
