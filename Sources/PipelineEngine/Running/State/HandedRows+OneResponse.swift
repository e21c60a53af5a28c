internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// Rows of one response, which go to those who take them when it has ended.
extension HandedRows {
  /// Whether lists of the one response of a unit are handed on, and not kept.
  func areOfOneResponse(_ unit: Unit) -> Bool {
    areByPage(unit.step) && unit.isOnlyOne && !unit.isLookUp
      && unit.stepPlan.request?.request.paginate == nil
  }

  /// The values of a step without the lists that are handed on.
  func withoutRows(_ values: [UInt8], of step: Int) -> [UInt8] {
    let names = taps(of: step).compactMap(\.extractor)
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for member in ScopeValue(text: values).node.members {
      writer.name(member.name)
      if names.contains(where: { $0.equals(bytes: member.name) }) {
        writer.raw(Array("[]".utf8))
      } else {
        writer.value(member.value)
      }
    }
    writer.endObject()
    return writer.bytes
  }
}

extension RunContext {
  /// Hands on the rows in the values of a step of the file, or those that wait on the disk for it.
  ///
  /// - Returns: Why not all of them can be read.
  func handOnRows(of values: [UInt8], step: Int) -> FileError? {
    let node = ScopeValue(text: values).node
    for tap in rows.taps(of: step) {
      guard let name = tap.extractor, let value = node[name] else { continue }
      guard let spool = rows.spools?.spool(for: value), var lists = FileRows.of(spool) else {
        if value.kind == .array { tap.handOn(Array(value.utf8), redactor) }
        continue
      }
      do throws(FileError) {
        while let list = try lists.nextList() { tap.handOn(list, redactor) }
      } catch {
        return error
      }
    }
    return nil
  }
}

extension RunOptions {
  /// Whether rows may wait on the disk: neither all values nor bodies were requested.
  var mayPutRowsAside: Bool {
    rowFolder != nil && part == nil && valueReader == nil && responseChecks == nil
      && givenValues == nil
  }
}
