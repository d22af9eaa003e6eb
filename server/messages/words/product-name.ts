import { suffixOf, type Language } from '../../../contract/languages.ts'
import { sql, type Sql } from '../../platform/database/database.ts'

/**
 * The name of a product for a reader, in SQL. A product that was sold under another name keeps that one.
 * @param sold the name at the sale, and `id` the product's
 */
export const productName = (language: Language, sold: Sql, id: Sql): Sql =>
  sql`coalesce((select own.translations ->> ${`name${suffixOf(language)}`}::text
                  from products own where own.id = ${id} and own.name = ${sold}), ${sold})`
