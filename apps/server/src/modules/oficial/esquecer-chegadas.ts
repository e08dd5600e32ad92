import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteChegadas, listChegadas } from './repository.ts'
import { lugarDaChegada } from './selos.ts'

/**
 * Erases what Meta brought of a customer and no bot took yet: with the bot stopped it waits, and would bring the customer back
 * at the next start. `padroes`: regular expressions that find their number.
 */
export async function esquecerChegadas(
  tx: Tx,
  { cofre, log }: Pick<Deps, 'cofre' | 'log'>,
  contaId: string,
  padroes: readonly string[],
): Promise<void> {
  const numeros = padroes.map((padrao) => new RegExp(padrao))
  const dele = (id: string, selado: string): boolean => {
    try {
      const valor = cofre.open(selado, lugarDaChegada(contaId, id))
      return numeros.some((numero) => numero.test(valor))
    } catch (error) {
      log.warn({ err: error, contaId }, 'what Meta brought does not open')
      return false
    }
  }
  const vistas: string[] = []
  for (;;) {
    const chegadas = await listChegadas(tx, contaId, vistas)
    if (chegadas.length === 0) return
    vistas.push(...chegadas.map(({ id }) => id))
    const foram = chegadas.filter(({ id, valor }) => dele(id, valor)).map(({ id }) => id)
    if (foram.length > 0) await deleteChegadas(tx, contaId, foram)
  }
}
