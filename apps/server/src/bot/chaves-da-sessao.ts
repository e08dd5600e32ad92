import type { ChavesDaSessao } from '#ports/messaging.ts'
import type { Lease } from './bots-repository.ts'
import { apagarChavesDaSessao, concluirChegada, gravarChaves, lerChaves, listChegadas } from './chaves-repository.ts'
import type { BotDeps } from './runtime-deps.ts'

export function createChavesDaSessao(deps: Pick<BotDeps, 'db' | 'cofre' | 'falha'>, lease: Lease): ChavesDaSessao {
  const { db, cofre, falha } = deps
  const { contaId, epoca } = lease
  const lugarDaChave = (tipo: string, id: string): string => `whatsapp_chaves|valor|${contaId}|${tipo}|${id}`
  const lugarDaChegada = (id: string): string => `whatsapp_chegadas|valor|${contaId}|${id}`

  return {
    ler: async (tipo, ids) => {
      const linhas = await db.read(contaId, (tx) => lerChaves(tx, contaId, tipo, ids))
      return new Map(linhas.map(({ id, valor }) => [id, cofre.open(valor, lugarDaChave(tipo, id))]))
    },
    gravar: async (mudancas, chegadas) => {
      const seladas = {
        mudancas: mudancas.map(({ tipo, id, valor }) => ({
          tipo,
          id,
          valor: valor === null ? null : cofre.seal(valor, lugarDaChave(tipo, id)),
        })),
        chegadas: chegadas.map(({ id, valor }) => ({ id, valor: cofre.seal(valor, lugarDaChegada(id)) })),
      }
      if (chegadas.length > 0) falha('chegada.antes-commit')
      const minha = await db.transaction(contaId, (tx) => gravarChaves(tx, contaId, epoca, seladas))
      if (!minha) throw new Error('lease lost')
      if (chegadas.length > 0) falha('chegada.apos-commit')
    },
    apagar: async () => {
      const minha = await db.transaction(contaId, (tx) => apagarChavesDaSessao(tx, contaId, epoca))
      if (!minha) throw new Error('lease lost')
    },
    chegadas: async () => {
      const linhas = await db.read(contaId, (tx) => listChegadas(tx, contaId))
      return linhas.map(({ id, valor }) => ({ id, valor: cofre.open(valor, lugarDaChegada(id)) }))
    },
    concluir: (id) => db.transaction(contaId, (tx) => concluirChegada(tx, contaId, id)),
  }
}
