internal import JSONText
internal import Templates

struct DataScope: DataSource {
  let scope: Scope
  let files: any FileAccess
}
