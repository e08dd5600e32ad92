import * as z from 'zod/mini'
import { parseState } from '@balcao/engine/state'
import type { Tx } from '#db/transaction.ts'

const contatoSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  ultima_atividade: z.date(),
  humana: z.boolean(),
  conversa_id: z.nullable(z.string()),
  estado: z.unknown(),
  retomou_em: z.nullable(z.date()),
  janela_desde: z.nullable(z.date()),
  /** First message of the question that the AI has not answered yet. */
  pergunta_desde: z.nullable(z.string()),
})
type Contato = z.output<typeof contatoSchema>

/**
 * Makes all addresses of one person lead to one contato: adds missing addresses and merges contatos. The contato
 * served by people stays, otherwise the one waiting for the AI, otherwise the most recently active one. Messages
 * and open questions move to the contato that stays. Returns the ids of the attended conversas that the merge
 * ended, or null when no address is known.
 */
export async function mergeContatos(
  tx: Tx,
  contaId: string,
  { canonicos, telefone }: { readonly canonicos: readonly string[]; readonly telefone: string },
): Promise<readonly string[] | null> {
  const contatos = await lockByAddress(tx, contaId, canonicos)
  const [kept, ...leaving] = contatos.toSorted(byPreference)
  if (kept === undefined) return null
  const finished: string[] = []
  for (const sai of leaving) {
    await moveQuestion(tx, contaId, { sai, fica: kept })
    finished.push(...(await moveRows(tx, contaId, { from: sai.id, to: kept.id })))
  }
  await tx.query(
    `insert into enderecos (conta_id, endereco, contato_id) select $1, e, $3 from unnest($2::text[]) as e
     on conflict (conta_id, endereco) do update set contato_id = excluded.contato_id`,
    [contaId, canonicos, kept.id],
  )
  const name = [kept, ...leaving].map((contato) => contato.nome).find((algum) => algum !== '') ?? ''
  const word = JSON.stringify(carriedConsent(kept, leaving))
  const windows = leaving.map(({ janela_desde: since }) => since?.toISOString() ?? null)
  await tx.query(
    `update contatos set nome = $3, telefone = $4, estado = coalesce(estado, '{}') || $5::jsonb,
       janela_desde = greatest(janela_desde, (select max(d) from unnest($6::timestamptz[]) as d))
     where conta_id = $1 and id = $2`,
    [contaId, kept.id, name, telefone, word, windows],
  )
  return finished
}

/**
 * A request to stop under one address holds for all until the customer takes it back. The same holds for a privacy
 * notice already given.
 */
function carriedConsent(kept: Contato, leaving: readonly Contato[]): object {
  const all = [kept, ...leaving]
  const states = all.map(({ estado }) => parseState(estado))
  const retomouEm = Math.max(...all.map(({ retomou_em: em }) => em?.getTime() ?? -Infinity))
  const paradoEm = states.map((state) => state.paradoEm).find((em) => em !== null && em > retomouEm) ?? null
  const avisadoEm = states.map((state) => state.avisadoEm).find((em) => em !== null) ?? null
  return { avisadoEm, paradoEm, ...(paradoEm === null ? {} : { pergunta: null }) }
}

/** Locks in id order, like every transaction that locks contatos. */
function lockByAddress(tx: Tx, contaId: string, canonical: readonly string[]): Promise<Contato[]> {
  return tx.rows(
    contatoSchema,
    `select c.id, c.nome, c.telefone, c.ultima_atividade, c.conversa_id, c.estado, c.janela_desde,
       (select max(s.criado_em) from consentimentos s where s.conta_id = c.conta_id and s.contato_id = c.id
        and s.ato = 'retomada') as retomou_em,
       (select coalesce(p.desde_id, p.id) from perguntas_ia p where p.conta_id = c.conta_id and p.contato_id = c.id
        and c.estado ->> 'pergunta' = p.id::text) as pergunta_desde,
       exists (select 1 from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id
               and v.status in ('aguardando', 'em_atendimento')) as humana
     from contatos c
     where c.conta_id = $1 and c.id in (select contato_id from enderecos where conta_id = $1 and endereco = any ($2::text[]))
     order by c.id for update of c`,
    [contaId, canonical],
  )
}

function byPreference(a: Contato, b: Contato): number {
  if (a.humana !== b.humana) return a.humana ? -1 : 1
  const [perguntou, other] = [a, b].map(({ pergunta_desde: since }) => since !== null)
  if (perguntou !== other) return perguntou === true ? -1 : 1
  return b.ultima_atividade.getTime() - a.ultima_atividade.getTime()
}

/**
 * Moves the unanswered question to the conversa that stays. Messages are sorted by id, so they appear in the right
 * place.
 */
async function moveQuestion(
  tx: Tx,
  contaId: string,
  { sai, fica }: { readonly sai: Contato; readonly fica: Contato },
): Promise<void> {
  if (sai.pergunta_desde === null) return
  await tx.query(
    `with levadas as (
       update mensagens set conversa_id = $3 where conta_id = $1 and conversa_id = $2 and id >= $4::uuid
       returning direcao
     ) update conversas set nao_lidas = nao_lidas + (select count(*) from levadas where direcao = 'entrada')
       where conta_id = $1 and id = $3 and status in ('aguardando', 'em_atendimento')`,
    [contaId, sai.conversa_id, fica.conversa_id, sai.pergunta_desde],
  )
  await tx.query('delete from perguntas_ia where conta_id = $1 and contato_id = $2', [contaId, sai.id])
  await tx.query(
    'update perguntas_ia set desde_id = least(coalesce(desde_id, id), $3::uuid) where conta_id = $1 and contato_id = $2',
    [contaId, fica.id, sai.pergunta_desde],
  )
}

const finishedSchema = z.object({ id: z.string(), protocolo: z.nullable(z.string()) })

interface ContatoMove {
  readonly from: string
  readonly to: string
}

/** A contato has at most one open conversa, so the open one of the removed contato ends. */
async function moveRows(tx: Tx, contaId: string, { from, to }: ContatoMove): Promise<string[]> {
  const values = [contaId, from, to]
  const finished = await tx.rows(
    finishedSchema,
    `update conversas set status = 'finalizada', finalizada_em = now(), motivo_fim = 'contatoJuntado'
     where conta_id = $1 and contato_id = $2 and status <> 'finalizada' returning id, protocolo`,
    values.slice(0, 2),
  )
  for (const table of ['conversas', 'enderecos', 'saida', 'perguntas_ia', 'avaliacoes', 'consentimentos']) {
    await tx.query(`update ${table} set contato_id = $3 where conta_id = $1 and contato_id = $2`, values)
  }
  await tx.query('delete from contatos where conta_id = $1 and id = $2', values.slice(0, 2))
  return finished.filter(({ protocolo }) => protocolo !== null).map(({ id }) => id)
}
