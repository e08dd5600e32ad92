import * as z from 'zod/mini'
import type { RESULTADOS_AUDITORIA } from '@balcao/contract/administracao'
import { acaoAuditoriaSchema, type AcaoAuditoria, type Ato } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { ACENTOS, semAcentos } from '#modules/logs/index.ts'

const linhaSchema = z.object({
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

export interface FiltroAuditoria extends Page {
  readonly acao: AcaoAuditoria | null
  readonly quem: string
  readonly resultado: (typeof RESULTADOS_AUDITORIA)[number] | null
  /** Smallest id of the period. Ids are UUIDv7 and contain their time. */
  readonly desde: string | null
}

const PESSOAS = `translate(lower(concat_ws(' ', quem_nome, quem_email, alvo_nome, alvo_email, ip)), '${ACENTOS[0]}', '${ACENTOS[1]}')`

/** Needs a system transaction. */
export async function listAtos(
  tx: Tx,
  { limite, antesDe, acao, quem, resultado, desde }: FiltroAuditoria,
): Promise<Ato[]> {
  const linhas = await tx.rows(
    linhaSchema,
    `select id, em, acao, resultado, quem_id as "quemId", quem_nome as "quemNome", quem_email as "quemEmail",
            alvo_id as "alvoId", alvo_nome as "alvoNome", alvo_email as "alvoEmail", ip, detalhe
       from auditoria
      where ($1::uuid is null or id < $1) and ($2::uuid is null or id >= $2)
        and ($3::text is null or acao = $3) and ($4::text is null or resultado = $4)
        and ($5 = '' or strpos(${PESSOAS}, $5) > 0)
      order by id desc limit $6`,
    [antesDe, desde, acao, resultado, semAcentos(quem), limite + 1],
  )
  return linhas.map(toAto)
}

function toAto({ em, ...linha }: z.output<typeof linhaSchema>): Ato {
  const { id, acao, resultado, ip, detalhe } = linha
  const porSi = linha.quemId === null && linha.quemEmail === ''
  return {
    ...{ id, acao, resultado, ip, detalhe },
    em: em.toISOString(),
    quem: porSi ? null : { id: linha.quemId, nome: linha.quemNome, email: linha.quemEmail },
    alvo: linha.alvoId === null ? null : { id: linha.alvoId, nome: linha.alvoNome, email: linha.alvoEmail },
  }
}

/** Deletes at most `limite` rows older than a year. Returns how many it deleted. */
export async function purgeAuditoria(tx: Tx, agora: Date, limite: number): Promise<number> {
  const [linha] = await tx.rows(z.object({ foram: z.coerce.number() }), 'select auditoria_vencida($1, $2) as foram', [
    agora,
    limite,
  ])
  return linha?.foram ?? 0
}

/** Clears names and e-mails of the conta's people in the audit trail. The act, its time and its IP stay. */
export async function forgetNomes(tx: Tx, contaId: string): Promise<void> {
  await tx.query('select auditoria_sem_nomes($1)', [contaId])
}
