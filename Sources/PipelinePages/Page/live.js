// What is shown of a run while it goes on, out of its trace. Pure: it touches no document.

/** What held requests back, in words. The names are those of the report. */
export const causes = {
  server: "waiting for answers", connecting: "connecting", receiving: "receiving",
  rate: "held back by the rate", pause: "the server asked for a pause",
  announced: "limit that the server announced",
  retry: "pause before a retry", poll: "pause of a poll", wait: "waiting as written",
  place: "waiting for a slot", stopped: "paused", cutOff: "cut off", underWay: "under way",
  engine: "pipeline itself",
};

/** A time in microseconds as people read it. */
export function timeText(time) {
  const short = (value) => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));
  if (time <= 0) return "0 ms";
  if (time < 999_500) return `${short(time / 1000)} ms`;
  if (time < 59_500_000) return `${short(time / 1_000_000)} s`;
  const seconds = Math.round(time / 1_000_000);
  const two = (value) => String(value).padStart(2, "0");
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`
    : `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)} h`;
}

export function countText(count) { return count.toLocaleString("en-US"); }

const outcomes = [
  ["failed", "bad", "failed"], ["cancelled", "stop", "stopped"], ["unfinished", "run", "running"],
  ["recovered", "warn", "recovered"], ["succeeded", "ok", "succeeded"], ["skipped", "skip", "skipped"],
];

/** The state of a step: a level with its word. */
export function stateOf(step, isRunning) {
  // What has begun and not ended is under way, or was when the process ended.
  if (step.start !== undefined && step.end === undefined) {
    return isRunning ? { level: "run", word: "running" } : { level: "stop", word: "cut off" };
  }
  for (const [name, level, word] of outcomes) {
    if (step.outcomes[name] > 0) {
      return name === "unfinished" && !isRunning ? { level: "stop", word: "cut off" } : { level, word };
    }
  }
  return { level: "idle", word: isRunning ? "not begun" : "never begun" };
}

/** The state of a run: a level with its word. */
export function runState({ isRunning, status, inDoubt, exit }) {
  if (isRunning) return { level: "run", word: "running" };
  if (inDoubt > 0) return { level: "doubt", word: inDoubt === 1 ? "1 request in doubt" : `${inDoubt} requests in doubt` };
  const known = {
    succeeded: "ok", failed: "bad", cancelled: "stop", interrupted: "warn", waiting: "warn",
  };
  if (status === "waiting") return { level: "warn", word: "waits for an answer" };
  if (status) return { level: known[status] ?? "idle", word: status === "cancelled" ? "stopped" : status };
  if (exit === 0) return { level: "ok", word: "succeeded" };
  if (exit === undefined) return { level: "idle", word: "not known" };
  return { level: "bad", word: exit === 2 ? "not begun" : "failed" };
}

/** The uses of a step's time by cause, the longest first, without work of its own. */
export function waitsOf(step) {
  const sums = new Map();
  for (const { use, time } of step.uses) {
    if (use !== "engine") sums.set(use, (sums.get(use) ?? 0) + time);
  }
  return [...sums].filter(([, time]) => time > 0).sort((a, b) => b[1] - a[1]);
}

/**
 * The lanes of a run: a row a step, with its place in the time of the run and what held the run
 * back meanwhile. Places are parts of 1.
 */
export function lanesOf(trace, isRunning) {
  const whole = Math.max(trace.duration, 1);
  const place = (time) => Math.min(1, Math.max(0, time / whole));
  return trace.steps.map((step, number) => {
    const start = step.start ?? null;
    const end = start === null ? null : Math.max(start, step.end ?? trace.duration);
    const held = [];
    for (const part of trace.path) {
      if (part.step !== number) continue;
      const [top] = part.uses.toSorted((a, b) => b.time - a.time);
      if (!top || top.use === "engine") continue;
      const last = held.at(-1);
      if (last && last.use === top.use && part.start - last.end <= whole / 400) last.end = part.end;
      else held.push({ use: top.use, start: part.start, end: part.end });
    }
    const [most] = waitsOf(step);
    return {
      number, id: step.id, name: step.id.split(".").at(-1), depth: depthOf(trace, number),
      state: stateOf(step, isRunning), isLoop: Boolean(step.isCollection), start, end,
      left: start === null ? 0 : place(start), width: start === null ? 0 : place(end - start),
      held: held.map((part) => ({
        use: part.use, left: place(part.start), width: place(part.end - part.start),
        time: part.end - part.start,
      })),
      time: start === null ? "" : timeText(end - start),
      why: most ? causes[most[0]] : "", after: step.after ?? [],
    };
  });
}

function depthOf(trace, number) {
  let depth = 0;
  for (let at = trace.steps[number].parent; at !== undefined && at !== null; at = trace.steps[at].parent) depth += 1;
  return depth;
}

/** The loops of a run with counts by state: done well, failed, and what is left if that is known. */
export function loopsOf(trace) {
  return trace.steps.map((step, number) => ({ step, number }))
    .filter(({ step }) => step.isCollection && step.start !== undefined)
    .map(({ step, number }) => {
      const good = sum(step.density?.good);
      const bad = sum(step.density?.bad);
      const total = Math.max(step.items ?? 0, good + bad);
      return {
        number, id: step.id, total, good, bad, left: total - good - bad,
        requests: step.requests, retries: step.retries, strip: stripOf(step.density, step, trace),
      };
    });
}

const sum = (list) => (list ?? []).reduce((all, value) => all + value, 0);

/** How large a part of the items that ended failed, in 100 parts of the loop's time; -1: none ended. */
function stripOf(density, step, trace) {
  if (!density) return [];
  const first = Math.floor(step.start / density.width);
  const last = Math.max(first + 1, Math.floor((step.end ?? trace.duration) / density.width) + 1);
  const parts = Math.min(100, last - first);
  return Array.from({ length: parts }, (_, part) => {
    let [good, bad] = [0, 0];
    const from = first + Math.floor(part * (last - first) / parts);
    const to = first + Math.floor((part + 1) * (last - first) / parts);
    for (let column = from; column < to; column += 1) {
      good += density.good[column] ?? 0;
      bad += density.bad[column] ?? 0;
    }
    return good + bad === 0 ? -1 : bad / (good + bad);
  });
}

/** The failures of a run by step and message, the most frequent first. */
export function failuresOf(trace) {
  const groups = new Map();
  for (const failure of trace.failures) {
    // Numbers differ from item to item.
    const key = `${failure.step}\n${failure.message.replace(/\d+/gu, "#")}`;
    const group = groups.get(key) ?? { ...failure, key, count: 0, items: [] };
    group.count += 1;
    if (failure.item !== undefined) group.items.push(failure.item);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
