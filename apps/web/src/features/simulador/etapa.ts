import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { mesmoContato } from './clientes.ts'

const ROTULO: Readonly<Record<string, string>> = {
  menu: 'bot · no menu',
  ia: 'bot · conversando com a IA',
  loja: 'bot · vendo a loja',
  humano: 'com uma pessoa · o bot espera',
  avaliando: 'bot · esperando a nota',
  encerrada: 'bot · conversa encerrada',
}

/** The engine's stage of this customer, or the bot's status if unknown. */
export function etapaDoCliente({ conversasAtivas, isRunning }: BotStatus, telefone: string): string {
  const etapa = conversasAtivas.find((conversa) => mesmoContato(conversa.telefone, telefone))?.etapa
  if (!isRunning) return 'bot desligado'
  return (etapa === undefined ? undefined : ROTULO[etapa]) ?? 'bot · responde na hora'
}
