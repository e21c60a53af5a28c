/// The forms of the language.
package enum DataForms {
  static let all = FormSet(
    [
      LiteralForm.self, JSONForm.self, Base64Form.self, FileForm.self, FilesForm.self,
      MergeForm.self, FirstForm.self, ConcatForm.self, UniqueForm.self, SortForm.self,
      CountForm.self, SumForm.self, DifferenceForm.self, ProductForm.self, QuotientForm.self,
      MinForm.self, MaxForm.self, JoinForm.self, EntriesForm.self, ObjectForm.self, LowerForm.self,
      UpperForm.self, TrimForm.self, SplitForm.self, ReplaceForm.self, ExtractForm.self,
      TextForm.self, NumberForm.self, CSVForm.self, NDJSONForm.self, DateForm.self, HashForm.self,
      HMACForm.self, JWTForm.self, UUIDForm.self, RandomForm.self,
    ].map { FormTable($0) })

  /// In the order of their table.
  package static var tables: [FormTable] { all.tables }
}
