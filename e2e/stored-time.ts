import { connectDirect, findEmbedded } from '@balcao/server/testing'
import type { Product } from './product.ts'

/** Moves stored times of messages, timers, scheduled messages and confirmations into the past, so that the product acts now. */
export async function passMinutes({ dataDir }: Product, minutes: number): Promise<void> {
  const target = await findEmbedded({ dataDir })
  if (target === null) throw new Error('database not running')
  const client = await connectDirect(target)
  const past = `- make_interval(mins => ${minutes})`
  try {
    await client.query(`
      begin;
      update mensagens set criada_em = criada_em ${past};
      update prazos set vence_em = vence_em ${past}, avisado_em = avisado_em ${past} where vence_em < 'infinity';
      update agendadas set enviar_em = enviar_em ${past} where estado = 'marcada';
      update sessoes set confirmada_em = confirmada_em ${past};
      commit`)
  } finally {
    await client.end()
  }
}

/** A time for an input of the panel, which has the zone of the shop. */
export const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000)
    .toLocaleString('sv-SE', { timeZone: 'America/Sao_Paulo' })
    .slice(0, 16)
    .replace(' ', 'T')
