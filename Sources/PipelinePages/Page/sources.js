// Where answers come from, in words and in calls. Pure: it touches no document.

/** The parameters of a call, or the parts of an address, that name a source. */
export function sourceNames({ run, recording }) { return recording ? { recording } : { run }; }

/** A source as a person is told of it. */
export function sourceWords({ run, recording, age, status, only }) {
  if (recording) return `the recording ${recording}`;
  const words = [age, status && status !== "succeeded" ? status : null, only ? `step ${only} only` : null];
  return `run ${run}${words.filter(Boolean).map((word) => `, ${word}`).join("")}`;
}

/** Whether two of them are one. */
export function isSameSource(a, b) {
  return a.recording || b.recording ? a.recording === b.recording : a.run === b.run;
}
