import * as z from 'zod/mini'
import { IA_CONTEXTO } from '@balcao/contract/constants'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { type LinhaIa, montarConversa } from '@balcao/engine/ia/conversa'
import type { Tx } from '#db/transaction.ts'
import { montarPedido } from '#modules/ia/index.ts'
import type { AiRequest, LerMidia, MidiaIa } from '#ports/ai.ts'
import { toBotContext } from './bot-context.ts'
import type { Contexto } from './contextos.ts'

export interface Reunida {
  /** Id of the first message of the question. Everything the customer wrote since belongs to it. */
  readonly desde: string
  readonly nomeCliente: string
  /** Newest first. */
  readonly linhas: readonly z.output<typeof linhaSchema>[]
}

const LINHAS_MAXIMO = IA_CONTEXTO.mensagens + 40
const MIDIAS_MAXIMO = 3
/** The provider accepts requests of 20 MB, and base64 adds a third. */
const MIDIAS_MAXIMO_BYTES = 12_000_000

const esperadaSchema = z.object({
  desde: z.string(),
  nome: z.string(),
  conversa_id: z.nullable(z.string()),
  esperada: z.boolean(),
})
const linhaSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
})

const ESPERADA = `
select coalesce(p.desde_id, p.id) as desde, c.nome, c.conversa_id, coalesce(c.estado ->> 'pergunta' = p.id::text, false) as esperada
from perguntas_ia p join contatos c on c.conta_id = p.conta_id and c.id = p.contato_id
where p.conta_id = $1 and p.id = $2 and p.contato_id = $3`

const LINHAS = `
select id, direcao, texto, midia from mensagens
where conta_id = $1 and conversa_id = $2 and (texto <> '' or midia is not null) and estado not in ('limite', 'falhou')
  and criada_em > $3
order by id desc limit ${LINHAS_MAXIMO}`

/**
 * Reads a pending question. Returns null when it was answered or replaced. When the customer is back in the menu or
 * with a person, it deletes the row and returns null.
 */
export async function lerPergunta(
  tx: Tx,
  agora: Date,
  { contaId, contatoId, id }: { readonly contaId: string; readonly contatoId: string; readonly id: string },
): Promise<Reunida | null> {
  const esperadas = await tx.queryNamed('pergunta-esperada', ESPERADA, [contaId, id, contatoId])
  if (esperadas.rows[0] === undefined) return null
  const pergunta = esperadaSchema.parse(esperadas.rows[0])
  if (!pergunta.esperada || pergunta.conversa_id === null) {
    await tx.query('delete from perguntas_ia where conta_id = $1 and id = $2', [contaId, id])
    return null
  }
  const desde = new Date(agora.getTime() - IA_CONTEXTO.janelaMs)
  const lidas = await tx.queryNamed('pergunta-linhas', LINHAS, [contaId, pergunta.conversa_id, desde])
  const linhas = lidas.rows.map((linha) => linhaSchema.parse(linha))
  return { desde: pergunta.desde, nomeCliente: pergunta.nome, linhas }
}

export interface PedirInput {
  readonly contexto: Contexto
  readonly contatoId: string
  readonly reunida: Reunida
  readonly agora: Date
  readonly lerMidia: LerMidia
}

export async function pedirDoCliente({
  contexto,
  contatoId,
  reunida,
  agora,
  lerMidia,
}: PedirInput): Promise<AiRequest> {
  const { desde, nomeCliente } = reunida
  const midias = contexto.iaLeMidia ? await lerMidias(contexto.contaId, reunida, lerMidia) : new Map<string, MidiaIa>()
  const linhas = reunida.linhas.toReversed().map(({ id, direcao, texto, midia }): LinhaIa => ({
    id,
    de: direcao === 'entrada' ? 'cliente' : 'bot',
    texto,
    ...(midia === null ? {} : { midia: midia.tipo, anexada: midias.has(id) }),
  }))
  const { lembrarContexto } = contexto.config.ia.comportamentos
  const conversa = montarConversa(linhas, desde, lembrarContexto)
  return montarPedido({
    contaId: contexto.contaId,
    contatoId,
    contexto: toBotContext(contexto),
    nomeCliente,
    agora,
    ...conversa,
    midias: [...midias.values()],
  })
}

async function lerMidias(
  contaId: string,
  { linhas, desde }: Reunida,
  lerMidia: LerMidia,
): Promise<Map<string, MidiaIa>> {
  const lidas = new Map<string, MidiaIa>()
  let cabem = MIDIAS_MAXIMO_BYTES
  const daPergunta = linhas.filter(({ id, direcao }) => direcao === 'entrada' && id >= desde)
  for (const { id, midia } of daPergunta) {
    if (lidas.size >= MIDIAS_MAXIMO || (midia?.tipo !== 'imagem' && midia?.tipo !== 'audio')) continue
    const lida = midia.url === undefined ? null : await lerMidia(contaId, midia.url)
    if (lida === null || lida.bytes.length > cabem) continue
    cabem -= lida.bytes.length
    lidas.set(id, lida)
  }
  return new Map([...lidas].toReversed())
}
