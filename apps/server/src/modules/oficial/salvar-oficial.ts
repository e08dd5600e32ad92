import type { Oficial, OficialEntrada } from '@balcao/contract/entities/oficial'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { chaveEnviada, lockConta, mascarar } from '#modules/configuracao/index.ts'
import { type ContaRow, findConta, upsertConta } from './repository.ts'
import { abrir, selar } from './selos.ts'

type OficialDeps = Pick<Deps, 'db' | 'cofre' | 'ids' | 'settings'>

export const CAMINHO_DO_WEBHOOK = '/api/webhooks/oficial'

export async function lerOficial(
  tx: Tx,
  { cofre, settings }: Pick<OficialDeps, 'cofre' | 'settings'>,
  contaId: string,
): Promise<Oficial> {
  const conta = await findConta(tx, contaId)
  if (conta === null) return { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }
  return {
    telefoneId: conta.telefone_id,
    contaWhatsappId: conta.conta_whatsapp_id,
    token: mascarar(abrir(cofre, contaId, 'token', conta.token)),
    segredo: mascarar(abrir(cofre, contaId, 'segredo', conta.segredo)),
    webhook: {
      url: `${settings.urlPublica}${CAMINHO_DO_WEBHOOK}/${conta.endereco}`,
      verificacao: abrir(cofre, contaId, 'verificacao', conta.verificacao),
    },
  }
}

/**
 * Saves the settings. Masked keys keep their stored value. The webhook address is created with the first save and
 * never changes.
 */
export function salvarOficial(deps: OficialDeps, contaId: string, entrada: OficialEntrada): Promise<Oficial> {
  const { db, cofre } = deps
  return db.transaction(contaId, async (tx) => {
    // Serialises saves, because masked keys are read from the stored row.
    await lockConta(tx, contaId)
    const atual = (await findConta(tx, contaId)) ?? nova(deps, contaId)
    const chave = (qual: 'token' | 'segredo'): string =>
      selar(cofre, contaId, qual, chaveEnviada(abrir(cofre, contaId, qual, atual[qual]), entrada[qual]))
    await upsertConta(tx, {
      ...atual,
      telefone_id: entrada.telefoneId,
      conta_whatsapp_id: entrada.contaWhatsappId,
      token: chave('token'),
      segredo: chave('segredo'),
    })
    return lerOficial(tx, deps, contaId)
  })
}

function nova({ ids, cofre }: OficialDeps, contaId: string): ContaRow {
  return {
    conta_id: contaId,
    telefone_id: '',
    conta_whatsapp_id: '',
    token: '',
    segredo: '',
    verificacao: selar(cofre, contaId, 'verificacao', ids.token()),
    endereco: ids.token(),
  }
}
