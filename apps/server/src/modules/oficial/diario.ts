import type { Deps } from '#deps.ts'
import type { Bus } from '#ports/bus.ts'
import type { DiarioOficial } from '#ports/oficial.ts'
import { deleteChegadas, findConta, listChegadas } from './repository.ts'
import { abrir, lugarDaChegada } from './selos.ts'

const CANAL = 'oficial'

/** Credentials and webhook journal of each conta, with a wake-up over the bus when events arrive. */
export function createDiarioOficial({ db, cofre, bus }: Pick<Deps, 'db' | 'cofre'> & { readonly bus: Bus }): {
  readonly diario: DiarioOficial
  /** Notifies the node that runs the bot of the conta. */
  readonly acordar: (contaId: string) => void
} {
  const ouvintes = new Map<string, () => void>()
  bus.subscribe(CANAL, (contaId) => ouvintes.get(contaId)?.())

  const diario: DiarioOficial = {
    numero: async (contaId) => {
      const conta = await db.read(contaId, (tx) => findConta(tx, contaId))
      if (conta === null || conta.telefone_id === '' || conta.conta_whatsapp_id === '' || conta.token === '')
        return null
      return {
        telefoneId: conta.telefone_id,
        contaWhatsappId: conta.conta_whatsapp_id,
        token: abrir(cofre, contaId, 'token', conta.token),
      }
    },
    chegadas: async (contaId, pular) => {
      const linhas = await db.read(contaId, (tx) => listChegadas(tx, contaId, pular))
      return linhas.map(({ id, valor, chegou_em: chegouEm }) => ({
        ...{ id, chegouEm },
        valor: cofre.open(valor, lugarDaChegada(contaId, id)),
      }))
    },
    concluir: (contaId, ids) => db.transaction(contaId, (tx) => deleteChegadas(tx, contaId, ids)),
    ouvir: (contaId, chegou) => {
      ouvintes.set(contaId, chegou)
      return () => {
        if (ouvintes.get(contaId) === chegou) ouvintes.delete(contaId)
      }
    },
  }
  return { diario, acordar: (contaId) => bus.publish(CANAL, contaId) }
}
