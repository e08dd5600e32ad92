import * as z from 'zod/mini'
import { atendenteSchema, type Operador } from '@balcao/contract/entities/operador'
import { instant } from '#db/statement/fields.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { withSecondFactor } from '#modules/auth/index.ts'

const operadorRowSchema = z.object({
  id: z.string(),
  nome: z.string(),
  email: z.string(),
  setores: z.array(z.string()),
  linhas: z.array(z.string()),
  status: z.enum(['pendente', 'ativo', 'inativo']),
  dataCriacao: instant,
  convitePendente: z.boolean(),
  conviteAte: z.nullable(instant),
  segundoFator: z.boolean(),
})

const operadores = sql`
  select id, nome, email, setores, linhas, status, data_criacao, senha_hash is null as convite_pendente,
    (select max(expira_em) from redefinicoes_senha
      where usuario_id = u.id and convite and usada_em is null) as convite_ate,
    ${withSecondFactor} as segundo_fator
  from usuarios u where conta_id = ${contaId} and tipo = 'operador' and excluido_em is null`

export const listOperadores = manyRows(
  'equipe: list operadores',
  operadorRowSchema,
  sql`${operadores} order by id desc`,
)

export const listAtendentes = manyRows(
  'equipe: list atendentes',
  atendenteSchema,
  sql`select id, nome, setores, linhas from usuarios
    where conta_id = ${contaId} and status = 'ativo' and excluido_em is null and senha_hash is not null
    order by lower(nome), id`,
)

const lockRow = oneRow(
  'equipe: lock operador',
  operadorRowSchema,
  sql`${operadores} and id = ${value('id', 'uuid')} for no key update`,
)

export async function lockOperador(tx: Tx, contaId: string, id: string): Promise<Operador> {
  const operador = isUuid(id) ? await lockRow(tx, { contaId, id }) : null
  if (operador === null) throw new AppError('naoEncontrado')
  return operador
}
