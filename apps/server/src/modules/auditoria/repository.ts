import { foldAccents } from '@balcao/contract/text/fold-accents'
import * as z from 'zod/mini'
import { acaoAuditoriaSchema, type Ato } from '@balcao/contract/entities/auditoria'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { ACCENTS } from '#lib/text.ts'

const rowSchema = z.object({
  id: z.string(),
  em: instant,
  acao: acaoAuditoriaSchema,
  resultado: z.enum(['feito', 'recusado']),
  quemId: z.nullable(z.string()),
  quemNome: z.string(),
  quemEmail: z.string(),
  alvoId: z.nullable(z.string()),
  alvoNome: z.string(),
  alvoEmail: z.string(),
  ip: z.string(),
  detalhe: z.string(),
})

const people = rawSql(
  `translate(lower(concat_ws(' ', quem_nome, quem_email, alvo_nome, alvo_email, ip)), '${ACCENTS[0]}', '${ACCENTS[1]}')`,
)
const before = value('before', 'uuid?')
const desde = value('desde', 'uuid?')
const acao = value('acao', 'text?')
const resultado = value('resultado', 'text?')
const quem = value('quem', 'text')

const listRows = manyRows(
  'auditoria: list',
  rowSchema,
  sql`select id, em, acao, resultado, quem_id, quem_nome, quem_email, alvo_id, alvo_nome, alvo_email, ip, detalhe
      from auditoria
      where (${before} is null or id < ${before}) and (${desde} is null or id >= ${desde})
        and (${acao} is null or acao = ${acao}) and (${resultado} is null or resultado = ${resultado})
        and (${quem} = '' or strpos(${people}, ${quem}) > 0)
      order by id desc limit ${value('limit', 'int')}`,
)

type AuditoriaFilter = Page & Omit<Parameters<typeof listRows>[1], 'before' | 'limit'>

/** Needs a system transaction. */
export async function listAtos(tx: Tx, { limite, quem, ...filter }: AuditoriaFilter): Promise<Ato[]> {
  const rows = await listRows(tx, { ...filter, quem: foldAccents(quem), limit: limite + 1 })
  return rows.map(toAto)
}

function toAto(line: z.output<typeof rowSchema>): Ato {
  const { id, em, acao, resultado, ip, detalhe } = line
  const porSi = line.quemId === null && line.quemEmail === ''
  return {
    ...{ id, em, acao, resultado, ip, detalhe },
    quem: porSi ? null : { id: line.quemId, nome: line.quemNome, email: line.quemEmail },
    alvo: line.alvoId === null ? null : { id: line.alvoId, nome: line.alvoNome, email: line.alvoEmail },
  }
}

/** In 24 hours. The difference is left to the dono. */
const ATOS_A_DAY = { operador: 10_000, dono: 20_000 }

/** `since`: the smallest id that counts. Works in a transaction of any conta. */
export const hasNoRoom = oneValue(
  'auditoria: has no room',
  z.boolean(),
  sql`select auditoria_cheia(${contaId}, ${value('usuarioId', 'uuid')}, ${value('since', 'uuid')},
        ${value('uncounted', 'text[]')}, ${rawSql(`${ATOS_A_DAY.operador}, ${ATOS_A_DAY.dono}`)}) as value`,
)

export const insertAto = noRows(
  'auditoria: insert',
  sql`insert into auditoria (id, em, acao, resultado, quem_id, quem_nome, quem_email, conta_id, alvo_id, alvo_nome,
        alvo_email, ip, detalhe)
      values (${value('id', 'uuid')}, ${value('em', 'timestamptz')}, ${value('acao', 'text')},
        ${value('resultado', 'text')}, ${value('quemId', 'uuid?')}, ${value('quemNome', 'text')},
        ${value('quemEmail', 'text')}, ${value('contaId', 'uuid?')}, ${value('alvoId', 'uuid?')},
        ${value('alvoNome', 'text')}, ${value('alvoEmail', 'text')}, ${value('ip', 'text')}, ${value('detalhe', 'text')})`,
)

export const purgeAuditoria = oneValue(
  'auditoria: purge',
  z.int(),
  sql`select auditoria_vencida(${value('now', 'timestamptz')}, ${value('limit', 'int')}) as value`,
)

/** The act, its time and its IP stay. */
export const clearAuditNames = noRows('auditoria: clear names', sql`select auditoria_sem_nomes(${contaId})`)
