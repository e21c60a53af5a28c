internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// A workflow as Kubernetes Jobs.
struct KubernetesFile {
  let run: ExportedRun
  let options: ExportOptions
  /// The prefix of all names. A Job's name has up to 63 bytes, with room for the index of a pod.
  private let prefix: String
  /// The names of the Jobs, in the order of the parts.
  private let names: [String]

  init(run: ExportedRun, options: ExportOptions) {
    self.run = run
    self.options = options
    let prefix = ExportedName.label(run.name, limit: 20)
    self.prefix = prefix
    let taken = ["\(prefix)-run-begin", "\(prefix)-run-finish"]
    names = Array(
      ExportedName.labels(taken + run.parts.map { "\(prefix)-\($0.step)" }, limit: 48)
        .dropFirst(taken.count))
  }

  var text: String {
    var documents = [settings, claim, begin]
    for (part, name) in zip(run.parts, names) { documents.append(job(part, name)) }
    documents.append(finish)
    return heading + "\n" + documents.joined(separator: "\n---\n") + "\n"
  }

  private var hasSecrets: Bool { !run.secrets.isEmpty }

  private var folder: String { options.folder ?? "/shared/\(ExportedName.file(run.name))/run-1" }

  private var file: String {
    options.file.hasPrefix(bytes: "/") ? options.file : "/shared/" + options.file
  }

  // MARK: The file's head

  private var heading: String {
    let about = CommentText.lines(
      run.name + (run.description.map { ": " + $0 } ?? ""), width: 96)
    var lines = about.map { "# " + $0 }
    lines += """
      #
      # Jobs of \(CommentText.line(options.file)), made by `pipeline export kubernetes`.
      # They are yours to edit. They need Kubernetes 1.29 or newer.
      # Replace the image, put the workflow on the volume, and give each run a folder of its own:
      #
      #   kubectl apply -f jobs.yaml
      #   kubectl wait --for=condition=Complete --timeout=1h job/\(prefix)-run-finish &
      #   kubectl wait --for=condition=Failed --timeout=1h job/\(prefix)-run-finish & wait -n
      #
      # Each pod first waits until the parts before its own have ended, whether they succeeded or not.
      # Each part leaves a file in the run's folder when it has ended. A part finds out by itself
      # whether its step is skipped. To go on with a run that failed, change its attempt, delete the
      # Jobs and apply the file again.
      """.split(ascii: "\n", omittingEmptySubsequences: false).map(String.init)
    if !run.secrets.isEmpty {
      lines += ["#"]
      lines += CommentText.lines(
        "Secret inputs (" + run.secrets.map(\.name).joined(separator: ", ")
          + ") come from a Secret, which is not part of this file. It holds all inputs of the run, as a"
          + " JSON object; what it leaves out has the workflow's default:", width: 96
      ).map { "# " + $0 }
      lines += [
        "#",
        "#   kubectl create secret generic \(prefix)-secrets --from-file=inputs.json",
      ]
    }
    return lines.joined(separator: "\n")
  }

  private var settings: String {
    let inputs = """

        # The run's inputs, a JSON object; what it leaves out has the workflow's default.
        inputs.json: "{}"
      """
    return """
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: \(prefix)-run
      data:
        folder: \(YAMLText.quoted(folder))
        # A number or a word; a run that failed goes on with another one.
        attempt: "1"
        # Carries out a part, and leaves a file when it has ended. A part that is killed leaves one only
        # at its last try. While it is at work, it touches the file of its tries. A signal to the pod
        # reaches the part. A part that is skipped (4) is done.
        part.sh: |
          mark=$PIPELINE_FOLDER/.ended/$PIPELINE_ATTEMPT/$1${JOB_COMPLETION_INDEX:+-$JOB_COMPLETION_INDEX}
          shift
          mkdir -p "${mark%/*}"
          echo >>"$mark.tries"
          child=
          stop=
          trap 'stop=yes; [ -z "$child" ] || kill -TERM "$child"' TERM INT
          "$@" &
          child=$!
          if [ -n "$stop" ]; then kill -TERM "$child"; fi
          while kill -0 "$child"; do
            touch "$mark.tries"
            sleep 20
          done >/dev/null 2>&1 &
          beat=$!
          status=0
          wait "$child" || status=$?
          while kill -0 "$child" 2>/dev/null; do
            status=0
            wait "$child" || status=$?
          done
          kill "$beat" 2>/dev/null || :
          if [ "$status" = 4 ]; then status=0; fi
          tries=$(wc -l <"$mark.tries")
          if [ "$status" -lt 128 ] || [ "$tries" -gt \(Self.backoffLimit) ]; then : >"$mark"; fi
          exit "$status"
        # Waits until the files are there that are named. A part that lost its whole container at its last
        # try leaves none. Nobody has touched the file of its tries for five minutes.
        wait.sh: |
          trap 'exit 143' TERM INT
          ended() {
            [ -e "$1" ] || {
              [ "$(wc -l <"$1.tries")" -gt \(Self.backoffLimit) ] && [ -n "$(find "$1.tries" -mmin +5)" ]
            } 2>/dev/null
          }
          for mark in "$@"; do
            until ended "$PIPELINE_FOLDER/.ended/$PIPELINE_ATTEMPT/$mark"; do
              sleep 2 &
              wait $!
            done
          done\(hasSecrets ? "" : inputs)
      """
  }

  private var claim: String {
    """
    # The volume that all pods see. Most clouds need a storageClassName that offers ReadWriteMany.
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: \(prefix)-shared
    spec:
      accessModes: [ReadWriteMany]
      resources:
        requests:
          storage: 1Gi
    """
  }

  // MARK: Jobs

  private var begin: String {
    job(
      "\(prefix)-run-begin", "run-begin", "Writes down what the run is given.", shards: nil,
      after: nil,
      ["begin", file, "--folder", "$(PIPELINE_FOLDER)"] + stateWords
        + (hasSecrets ? secretWords : ["--inputs", "/run/pipeline/inputs.json"]))
  }

  private var finish: String {
    job(
      "\(prefix)-run-finish", "run-finish",
      "Runs the `finally` steps and writes the outputs. It ends as the run ends.", shards: nil,
      after: run.parts.map(\.step).filter(run.last.contains),
      ["finish", file, "--folder", "$(PIPELINE_FOLDER)"] + stateWords + fileWords + secretWords
        + ["--output", "$(PIPELINE_FOLDER)/outputs.json"])
  }

  private func job(_ part: ExportedRun.Part, _ name: String) -> String {
    var words = ["run", file, "--folder", "$(PIPELINE_FOLDER)"] + fileWords + secretWords
    words += ["--step", part.step]
    if part.shards != nil { words += ["--shard", "auto"] }
    return job(
      name, part.step, "\(part.step): \(CommentText.line(part.meaning))", shards: part.shards,
      after: part.follows, words)
  }

  private var stateWords: [String] {
    run.keepsState ? ["--state", "/shared/\(ExportedName.file(run.name))/state.json"] : []
  }

  private var fileWords: [String] {
    run.savesFiles ? ["--output-dir", "$(PIPELINE_FOLDER)/files"] : []
  }

  private var secretWords: [String] {
    hasSecrets ? ["--inputs", "/run/pipeline-inputs/inputs.json"] : []
  }

  /// - Parameters:
  ///   - mark: The name of the file that says that the part has ended.
  ///   - shards: How many pods carry it out; `nil` if there is one.
  ///   - steps: The steps that it waits for; none: the beginning. `nil` if it waits for nothing.
  ///   - words: The words after `pipeline part`. `$(PIPELINE_FOLDER)` is filled in by Kubernetes.
  private func job(
    _ name: String, _ mark: String, _ comment: String, shards: Int?, after steps: [String]?,
    _ words: [String]
  ) -> String {
    var lines = [
      "# " + comment,
      "apiVersion: batch/v1",
      "kind: Job",
      "metadata:",
      "  name: \(name)",
      "  labels:",
      "    app.kubernetes.io/part-of: \(prefix)",
      "spec:",
      "  # Also ends pods that wait for a part that was deleted.",
      "  activeDeadlineSeconds: 86400",
      "  ttlSecondsAfterFinished: 604800",
    ]
    if let shards {
      lines += [
        "  completionMode: Indexed",
        "  completions: \(shards)",
        "  parallelism: \(shards)",
        "  backoffLimitPerIndex: \(Self.backoffLimit)",
        "  maxFailedIndexes: \(shards)",
      ]
    } else {
      lines.append("  backoffLimit: \(Self.backoffLimit)")
    }
    lines += policy(isIndexed: shards != nil)
    lines += [
      "  template:",
      "    metadata:",
      "      labels:",
      "        app.kubernetes.io/part-of: \(prefix)",
      "    spec:",
      "      restartPolicy: Never",
      "      automountServiceAccountToken: false",
      "      enableServiceLinks: false",
      "      securityContext:",
      "        runAsNonRoot: true",
      "        runAsUser: 1000",
      "        runAsGroup: 1000",
      "        fsGroup: 1000",
      "        seccompProfile: { type: RuntimeDefault }",
    ]
    if let steps { lines += waiting(for: steps) }
    lines += container(mark, words, shards: shards)
    lines += volumes
    return lines.joined(separator: "\n")
  }

  private func container(_ mark: String, _ words: [String], shards: Int?) -> [String] {
    var lines = [
      "      containers:",
      "        - name: pipeline",
      "          # An image that holds the program and a shell.",
      "          image: pipeline:0.2.0",
      "          command: [sh, /run/pipeline/part.sh, \(mark), \(Self.quoted(options.program))]",
      "          args:",
    ]
    lines += (["part"] + words).map { "            - \(Self.quoted($0))" }
    lines += environment(shards: shards)
    lines += Self.restrictions(cpu: "100m", memory: "128Mi", most: "1Gi")
    lines += [
      "          volumeMounts:",
      "            - { name: shared, mountPath: /shared }",
      "            - { name: run, mountPath: /run/pipeline }",
    ]
    if hasSecrets {
      lines.append(
        "            - { name: secrets, mountPath: /run/pipeline-inputs, readOnly: true }")
    }
    return lines
  }

  private var volumes: [String] {
    var lines = [
      "      volumes:",
      "        - { name: shared, persistentVolumeClaim: { claimName: \(prefix)-shared } }",
      "        - { name: run, configMap: { name: \(prefix)-run } }",
    ]
    if hasSecrets {
      lines.append("        - { name: secrets, secret: { secretName: \(prefix)-secrets } }")
    }
    return lines
  }

  /// Which exit statuses are final. Only a pod that was killed is started again.
  private func policy(isIndexed: Bool) -> [String] {
    // Whatever waits for a part sees its first end, so a second try would come too late. The other
    // indexes of a Job go on, because their ends are waited for, too.
    let failed = isIndexed ? "FailIndex" : "FailJob"
    return [
      "  podFailurePolicy:",
      "    rules:",
      "      # The part has ended: what follows decides.",
      "      - action: \(failed)",
      "        onExitCodes:",
      "          { containerName: pipeline, operator: In, values: [1, 2, 3, 5, 6, 64] }",
      "      # The node went away: another pod goes on.",
      "      - action: Ignore",
      "        onPodConditions: [{ type: DisruptionTarget, status: \"True\" }]",
    ]
  }

  private func waiting(for steps: [String]) -> [String] {
    let marks = steps.flatMap { step in
      guard let shards = run.parts.first(where: { $0.step == step })?.shards else { return [step] }
      return (0..<shards).map { "\(step)-\($0)" }
    }
    return [
      "      initContainers:",
      "        - name: wait",
      "          image: busybox:1.37",
      "          command: [sh, /run/pipeline/wait.sh]",
      "          args:",
    ] + (steps.isEmpty ? ["run-begin"] : marks).map { "            - \"\($0)\"" }
      + environment(shards: nil) + Self.restrictions(cpu: "10m", memory: "16Mi", most: "64Mi") + [
        "          volumeMounts:",
        "            - { name: shared, mountPath: /shared }",
        "            - { name: run, mountPath: /run/pipeline }",
      ]
  }

  private func environment(shards: Int?) -> [String] {
    var lines = [
      "          env:",
      "            - name: PIPELINE_FOLDER",
      "              valueFrom: { configMapKeyRef: { name: \(prefix)-run, key: folder } }",
      "            - name: PIPELINE_ATTEMPT",
      "              valueFrom: { configMapKeyRef: { name: \(prefix)-run, key: attempt } }",
    ]
    if let shards {
      lines.append("            - { name: PIPELINE_SHARDS, value: \"\(shards)\" }")
    }
    return lines
  }

  /// What a container may use, and that it has no rights, as PodSecurity "restricted" demands.
  private static func restrictions(cpu: String, memory: String, most: String) -> [String] {
    [
      "          resources:",
      "            requests: { cpu: \(cpu), memory: \(memory) }",
      "            limits: { memory: \(most) }",
      "          securityContext:",
      "            allowPrivilegeEscalation: false",
      "            capabilities: { drop: [ALL] }",
    ]
  }

  /// The number of times that a killed part is started again.
  private static let backoffLimit = 3

  /// A word of a command. Kubernetes fills in `$(NAME)`, unless it begins with `$$`.
  private static func quoted(_ word: String) -> String {
    guard !word.hasPrefix(bytes: "$(PIPELINE_FOLDER)") else { return YAMLText.quoted(word) }
    return YAMLText.quoted(word.replacing(bytes: "$(", with: "$$("))
  }
}
