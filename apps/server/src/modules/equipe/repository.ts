import * as z from 'zod/mini'
import { type Atendente, atendenteSchema, type Operador } from '@balcao/contract/entities/operador'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { HAS_SECOND_FACTOR_SQL } from '#modules/auth/index.ts'

const operadorRowSchema = z.object({
  id: z.string(),
  nome: z.string(),
  email: z.string(),
  setores: z.array(z.string()),
  status: z.enum(['pendente', 'ativo', 'inativo']),
  dataCriacao: z.date(),
  convitePendente: z.boolean(),
  conviteAte: z.nullable(z.date()),
  segundoFator: z.boolean(),
})

const SELECT_OPERADORES = `
  select id, nome, email, setores, status, data_criacao as "dataCriacao", senha_hash is null as "convitePendente",
         (select max(expira_em) from redefinicoes_senha
           where usuario_id = u.id and convite and usada_em is null) as "conviteAte",
         ${HAS_SECOND_FACTOR_SQL} as "segundoFator"
    from usuarios u where conta_id = $1 and tipo = 'operador' and excluido_em is null`

function toOperador({ dataCriacao, conviteAte, ...parsed }: z.output<typeof operadorRowSchema>): Operador {
  return { ...parsed, dataCriacao: dataCriacao.toISOString(), conviteAte: conviteAte?.toISOString() ?? null }
}

export async function listOperadores(tx: Tx, contaId: string): Promise<Operador[]> {
  return (await tx.rows(operadorRowSchema, `${SELECT_OPERADORES} order by id desc`, [contaId])).map(toOperador)
}

/** Excludes people who have not accepted their invitation. */
export async function listAtendentes(tx: Tx, contaId: string): Promise<Atendente[]> {
  return tx.rows(
    atendenteSchema,
    `select id, nome, setores from usuarios
      where conta_id = $1 and status = 'ativo' and excluido_em is null and senha_hash is not null
      order by lower(nome), id`,
    [contaId],
  )
}

export async function lockOperador(tx: Tx, contaId: string, id: string): Promise<Operador> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const [parsed] = await tx.rows(operadorRowSchema, `${SELECT_OPERADORES} and id = $2 for no key update`, [contaId, id])
  if (parsed === undefined) throw new AppError('naoEncontrado')
  return toOperador(parsed)
}
