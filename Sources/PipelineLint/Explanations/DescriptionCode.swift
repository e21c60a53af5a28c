/// The codes of what is wrong with the key `api` itself.
enum DescriptionCode: String {
  case unreadable = "unreadable-description"
  case changed = "changed-description"
  case unused = "unused-description"
}
