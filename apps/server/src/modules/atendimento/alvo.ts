import * as z from 'zod/mini'
import { CONECTORES, CONECTORES_QUE_MARCAM, type ConectorTipo } from '@balcao/contract/constants'
import { estadoMensagemSchema, midiaSchema } from '@balcao/contract/entities/mensagem'
import { resumoCitado } from '#bot/citadas.ts'
import { extrasSchema } from '#bot/extras.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { Alvo } from '#ports/messaging.ts'
import { ehId } from './repository.ts'

export interface MensagemAlvo extends Alvo {
  readonly mensagemId: string
  readonly reacaoLoja: string | null
}

const linhaSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  canal: z.string(),
  id_externo: z.nullable(z.string()),
  estado: estadoMensagemSchema,
  extras: z.nullable(extrasSchema),
  conector: z.nullable(z.enum(CONECTORES)),
})
type Linha = z.output<typeof linhaSchema>

const ACHAR = `
select m.id, m.direcao, m.texto, m.midia, m.canal, m.id_externo, m.estado, m.extras,
  (select b.conector from bots b where b.conta_id = m.conta_id) as conector
from mensagens m where m.conta_id = $1 and m.conversa_id = $2 and m.id = $3`

export interface EscolhaDeAlvo {
  readonly contaId: string
  readonly conversaId: string
  readonly mensagemId: string
  /** A test conversa has no messaging service, so our own id is enough. */
  readonly teste: boolean
}

/**
 * Returns the mensagem under the id that the service knows. Throws `naoEncontrado` if it is not in this conversa.
 * Throws `mensagemForaDeAlcance` if the service does not have it: never sent, deleted, a call, or of another
 * service.
 */
export async function exigirAlvo(tx: Tx, escolha: EscolhaDeAlvo): Promise<MensagemAlvo> {
  const { contaId, conversaId, mensagemId, teste } = escolha
  if (!ehId(mensagemId)) throw new AppError('naoEncontrado')
  const [linha] = await tx.rows(linhaSchema, ACHAR, [contaId, conversaId, mensagemId])
  if (linha === undefined) throw new AppError('naoEncontrado')
  const nome = teste ? linha.id : nomeNoServico(linha)
  if (nome === null || linha.extras?.apagada === true || linha.extras?.ligacao !== undefined) {
    throw new AppError('mensagemForaDeAlcance')
  }
  const { texto, midia, extras, direcao } = linha
  return {
    id: nome,
    mensagemId,
    nossa: direcao === 'saida',
    texto: resumoCitado({ texto: extras?.edicao ?? texto, ...(midia === null ? {} : { midia }) }),
    reacaoLoja: extras?.reacaoLoja ?? null,
  }
}

/** These services give our messages their own id when they accept them. The other services use our id. */
const NOMEIAM: readonly ConectorTipo[] = ['oficial', 'navegador']

function nomeNoServico({ id, canal, conector, id_externo: externo, estado }: Linha): string | null {
  if (conector === null || conector !== canal || !CONECTORES_QUE_MARCAM.includes(conector)) return null
  if (estado === 'falhou' || estado === 'limite') return null
  return externo ?? (NOMEIAM.includes(conector) ? null : id)
}
