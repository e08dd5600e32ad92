import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { enviarMensagemRoute } from '@balcao/contract/routes/atendimento-conversa'
import type { QueryClient } from '@tanstack/react-query'
import { sendFailureText, storeSent } from '#features/atendimento/envio/send-result.ts'
import { ApiError, call } from '#shared/api-client.ts'
import { changeWaiting, type WaitingText, waitingTexts } from './waiting-texts.ts'

/** Null when the conversa is as it was when the text was written. */
function changeSince({ operadorId, vista }: WaitingText, now: Conversa): string | null {
  if (now.status === 'finalizada') return 'A conversa foi finalizada.'
  if ((now.operadorId ?? '') !== operadorId) return 'Outra pessoa passou a atender.'
  const last = now.ultimaMensagem?.timestamp
  return last !== undefined && last > vista ? 'Chegaram mensagens depois que você escreveu.' : null
}

const isLost = (error: unknown): boolean => error instanceof ApiError && error.status === 0

async function sendOne(client: QueryClient, user: Usuario, text: WaitingText): Promise<void> {
  const { id, conversaId, texto, citadaId } = text
  const body = { mensagem: texto, idTemporario: id, ...(citadaId === undefined ? {} : { citadaId }) }
  const { mensagem } = await call(enviarMensagemRoute, { params: { id: conversaId }, body })
  changeWaiting(id, () => null)
  // Our own message changed the conversa. The next ones need no question for that.
  const seen = { vista: mensagem.timestamp, operadorId: user.id }
  for (const next of waitingTexts()) {
    if (next.conversaId === conversaId) changeWaiting(next.id, (now) => ({ ...now, ...seen }))
  }
  storeSent(client, conversaId, mensagem, user)
}

/** Texts of one conversa leave in order. After a lost connection they wait; after a refusal the person decides. */
async function sendConversa(client: QueryClient, user: Usuario, texts: readonly WaitingText[]): Promise<void> {
  const [first] = texts
  if (first === undefined) return
  const ask = (reason: string): void => {
    for (const { id } of texts) changeWaiting(id, (text) => ({ ...text, conferir: reason }))
  }
  try {
    const { conversa } = await call(conversaHumanaRoute, { params: { id: first.conversaId } })
    const changed = changeSince(first, conversa)
    if (changed !== null) return ask(changed)
    // oxlint-disable-next-line no-await-in-loop -- the texts leave in the order written
    for (const text of texts) await sendOne(client, user, text)
  } catch (error) {
    if (!isLost(error)) ask(sendFailureText(error))
  }
}

/** Sends what waits on this device. One window sends at a time. */
export function sendWaiting(client: QueryClient, user: Usuario): Promise<void> {
  return navigator.locks.request('textos-em-espera', async () => {
    const ready = waitingTexts().filter(({ conferir }) => conferir === undefined)
    for (const texts of Map.groupBy(ready, ({ conversaId }) => conversaId).values()) {
      // oxlint-disable-next-line no-await-in-loop -- one conversa after the other keeps the load low
      await sendConversa(client, user, texts)
    }
  })
}

/** The person wants the text sent although the conversa changed. */
export async function confirmWaiting(client: QueryClient, user: Usuario, text: WaitingText): Promise<void> {
  try {
    await sendOne(client, user, text)
  } catch (error) {
    changeWaiting(text.id, (now) => ({ ...now, conferir: sendFailureText(error) }))
  }
}
