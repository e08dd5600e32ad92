import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { isSameContato } from './simulated-customers.ts'

const STAGE_LABEL: Readonly<Record<string, string>> = {
  menu: 'bot · no menu',
  ia: 'bot · conversando com a IA',
  loja: 'bot · vendo a loja',
  humano: 'com uma pessoa · o bot espera',
  avaliando: 'bot · esperando a nota',
  encerrada: 'bot · conversa encerrada',
}

/** The engine's stage of this customer, or the bot's status if unknown. */
export function customerStage({ conversasAtivas, isRunning }: BotStatus, telefone: string): string {
  const etapa = conversasAtivas.find((conversa) => isSameContato(conversa.telefone, telefone))?.etapa
  if (!isRunning) return 'bot desligado'
  return (etapa === undefined ? undefined : STAGE_LABEL[etapa]) ?? 'bot · responde na hora'
}
