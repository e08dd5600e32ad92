import type { Config } from '@balcao/contract/entities/config'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { chavesOf, transcribesVoice } from '@balcao/contract/presets/provedores-ia'
import { isTranscribable } from '@balcao/engine/ia/transcript/audio-limits'
import type { Tx } from '#db/transaction.ts'
import type { MensagemMarks } from '#modules/mensagens/index.ts'
import { insertTranscricoes } from './queue.ts'

export function transcribesAudio(config: Pick<Config, 'ia' | 'gemini'>): boolean {
  return transcribesVoice(config.ia) && chavesOf(config)[config.ia.provedor] !== ''
}

/** The marks of a customer's message that is transcribed later. */
export function pendingTranscript(
  config: Pick<Config, 'ia' | 'gemini'>,
  midia: Midia | undefined,
): Pick<MensagemMarks, 'transcricao'> {
  if (midia === undefined || !isTranscribable(midia) || !transcribesAudio(config)) return {}
  return { transcricao: { texto: '', estado: 'pendente' } }
}

interface NewMensagemOfConta {
  readonly contaId: string
  readonly now: Date
  readonly mensagens: readonly { readonly id: string; readonly extras?: MensagemMarks }[]
}

/** Stored with the messages, so that a crash loses no voice note. */
export async function queueTranscripts(tx: Tx, stored: readonly NewMensagemOfConta[]): Promise<void> {
  const i = stored.flatMap(({ contaId, now: em, mensagens }) =>
    mensagens.flatMap(({ id: mensagemId, extras }) =>
      extras?.transcricao === undefined ? [] : [{ contaId, mensagemId, em }],
    ),
  )
  if (i.length > 0) await insertTranscricoes(tx, { i })
}
