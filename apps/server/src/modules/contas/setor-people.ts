import * as z from 'zod/mini'
import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { ListedSetor } from '@balcao/contract/routes/atendimento-resumo'
import { contaId, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'

const personSchema = z.object({ operador: z.boolean(), setores: z.array(z.string()), online: z.boolean() })
type SetorPerson = z.output<typeof personSchema>

/** Windows of nodes that died do not count. */
export const listPeopleOfSetores = manyRows(
  'contas: list people of setores',
  personSchema,
  sql`
select u.tipo = 'operador' as operador, u.setores, exists (
  select 1 from presencas p join nos n on n.id = p.no and n.morto_em is null
  where p.conta_id = u.conta_id and p.usuario_id = u.id and p.saiu_em is null) as online
from usuarios u
where u.conta_id = ${contaId} and u.status = 'ativo' and u.excluido_em is null and u.senha_hash is not null`,
)

/** The owner counts only in setores that no operador serves. */
export function withPeople(setor: Setor, people: readonly SetorPerson[]): ListedSetor {
  const serving = people.filter(({ setores }) => mayReadSetor({ setores }, setor.id))
  const operadores = serving.filter(({ operador }) => operador)
  const counted = operadores.length === 0 ? serving : operadores
  return { ...setor, pessoas: counted.length, online: counted.filter(({ online }) => online).length }
}

/** Setores that no operador serves, although the conta has operadores. Without operadores the owner serves all. */
export function setoresWithoutOperador(setores: readonly Setor[], people: readonly SetorPerson[]): Setor[] {
  const operadores = people.filter(({ operador }) => operador)
  if (operadores.length === 0) return []
  return setores.filter(({ id, ativo }) => ativo && !operadores.some((person) => mayReadSetor(person, id)))
}
