import type { SignalDataTypeMap, SignalKeyStore } from 'baileys'

type KeyMaps = { [T in keyof SignalDataTypeMap]: Map<string, SignalDataTypeMap[T]> }

export function createMemoryKeys(): SignalKeyStore {
  const mapas: KeyMaps = {
    'pre-key': new Map(),
    session: new Map(),
    'sender-key': new Map(),
    'sender-key-memory': new Map(),
    'app-state-sync-key': new Map(),
    'app-state-sync-version': new Map(),
    'lid-mapping': new Map(),
    'device-list': new Map(),
    tctoken: new Map(),
    'identity-key': new Map(),
  }
  const gravar = <T extends keyof SignalDataTypeMap>(
    mapa: Map<string, SignalDataTypeMap[T]>,
    mudancas: { [id: string]: SignalDataTypeMap[T] | null } | undefined,
  ): void => {
    for (const [id, valor] of Object.entries(mudancas ?? {})) {
      if (valor === null) mapa.delete(id)
      else mapa.set(id, valor)
    }
  }
  return {
    get: async (tipo, ids) => {
      const mapa = mapas[tipo]
      return Object.fromEntries(
        ids.flatMap((id) => {
          const valor = mapa.get(id)
          return valor === undefined ? [] : [[id, valor]]
        }),
      )
    },
    set: async (mudancas) => {
      gravar(mapas['pre-key'], mudancas['pre-key'])
      gravar(mapas.session, mudancas.session)
      gravar(mapas['sender-key'], mudancas['sender-key'])
      gravar(mapas['sender-key-memory'], mudancas['sender-key-memory'])
      gravar(mapas['app-state-sync-key'], mudancas['app-state-sync-key'])
      gravar(mapas['app-state-sync-version'], mudancas['app-state-sync-version'])
      gravar(mapas['lid-mapping'], mudancas['lid-mapping'])
      gravar(mapas['device-list'], mudancas['device-list'])
      gravar(mapas.tctoken, mudancas.tctoken)
      gravar(mapas['identity-key'], mudancas['identity-key'])
    },
  }
}
