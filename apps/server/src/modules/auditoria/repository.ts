import { foldAccents } from '@balcao/contract/text/fold-accents'
import * as z from 'zod/mini'
import type { RESULTADOS_AUDITORIA } from '@balcao/contract/administration'
import { acaoAuditoriaSchema, type AcaoAuditoria, type Ato } from '@balcao/contract/entities/auditoria'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { ACCENTS } from '#lib/text.ts'

const rowSchema = z.object({
  id: z.string(),
  em: z.date(),
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

export interface AuditoriaFilter extends Page {
  readonly acao: AcaoAuditoria | null
  readonly quem: string
  readonly resultado: (typeof RESULTADOS_AUDITORIA)[number] | null
  /** Smallest id of the period. Ids are UUIDv7 and contain their time. */
  readonly desde: string | null
}

const PEOPLE_SQL = `translate(lower(concat_ws(' ', quem_nome, quem_email, alvo_nome, alvo_email, ip)), '${ACCENTS[0]}', '${ACCENTS[1]}')`

/** Needs a system transaction. */
export async function listAtos(
  tx: Tx,
  { limite, before, acao, quem, resultado, desde }: AuditoriaFilter,
): Promise<Ato[]> {
  const lines = await tx.rows(
    rowSchema,
    `select id, em, acao, resultado, quem_id as "quemId", quem_nome as "quemNome", quem_email as "quemEmail",
            alvo_id as "alvoId", alvo_nome as "alvoNome", alvo_email as "alvoEmail", ip, detalhe
       from auditoria
      where ($1::uuid is null or id < $1) and ($2::uuid is null or id >= $2)
        and ($3::text is null or acao = $3) and ($4::text is null or resultado = $4)
        and ($5 = '' or strpos(${PEOPLE_SQL}, $5) > 0)
      order by id desc limit $6`,
    [before, desde, acao, resultado, foldAccents(quem), limite + 1],
  )
  return lines.map(toAto)
}

function toAto({ em, ...line }: z.output<typeof rowSchema>): Ato {
  const { id, acao, resultado, ip, detalhe } = line
  const porSi = line.quemId === null && line.quemEmail === ''
  return {
    ...{ id, acao, resultado, ip, detalhe },
    em: em.toISOString(),
    quem: porSi ? null : { id: line.quemId, nome: line.quemNome, email: line.quemEmail },
    alvo: line.alvoId === null ? null : { id: line.alvoId, nome: line.alvoNome, email: line.alvoEmail },
  }
}

/** Acts of the people of a conta in 24 hours. The difference is left to the dono. */
const ATOS_A_DAY = { operador: 10_000, dono: 20_000 }

interface RoomQuery {
  readonly contaId: string
  readonly usuarioId: string
  /** Smallest id that counts. */
  readonly since: string
  readonly uncounted: readonly AcaoAuditoria[]
}

/** True if the conta has no room for another act of this person. Works in a transaction of any conta. */
export async function hasNoRoom(tx: Tx, { contaId, usuarioId, since, uncounted }: RoomQuery): Promise<boolean> {
  const [row] = await tx.rows(
    z.object({ cheia: z.boolean() }),
    'select auditoria_cheia($1, $2, $3, $4::text[], $5, $6) as cheia',
    [contaId, usuarioId, since, plainArray(uncounted), ATOS_A_DAY.operador, ATOS_A_DAY.dono],
  )
  return row?.cheia === true
}

/** Deletes at most `limite` rows older than a year. Returns how many it deleted. */
export async function purgeAuditoria(tx: Tx, now: Date, limit: number): Promise<number> {
  const [line] = await tx.rows(z.object({ foram: z.coerce.number() }), 'select auditoria_vencida($1, $2) as foram', [
    now,
    limit,
  ])
  return line?.foram ?? 0
}

/** Clears names and e-mails of the conta's people in the audit trail. The act, its time and its IP stay. */
export async function clearAuditNames(tx: Tx, contaId: string): Promise<void> {
  await tx.query('select auditoria_sem_nomes($1)', [contaId])
}
