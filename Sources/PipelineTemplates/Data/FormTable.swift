/// What a form declares: its value and its options.
package struct FormTable: Sendable {
  package let title: FormTitle
  package let options: [FormOption]

  /// The type that reads and writes it.
  let form: any DeclaredForm.Type

  init(_ form: any DeclaredForm.Type) {
    self.form = form
    title = form.title
    options = FormKeys.options(of: form)
  }

  func option(_ name: String) -> FormOption? { options.first { $0.name == name } }
}

/// An option of a form, inside its object beside `of`.
package struct FormOption: Sendable {
  package let name: String
  package let meaning: String
  /// Its value as JSON text.
  package let example: String
  package let isRequired: Bool
  /// Its values in a few words.
  package let words: String
}
