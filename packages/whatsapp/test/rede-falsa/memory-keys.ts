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
  const write = <T extends keyof SignalDataTypeMap>(
    map: Map<string, SignalDataTypeMap[T]>,
    changes: { [id: string]: SignalDataTypeMap[T] | null } | undefined,
  ): void => {
    for (const [id, value] of Object.entries(changes ?? {})) {
      if (value === null) map.delete(id)
      else map.set(id, value)
    }
  }
  return {
    get: async (tipo, ids) => {
      const map = mapas[tipo]
      return Object.fromEntries(
        ids.flatMap((id) => {
          const value = map.get(id)
          return value === undefined ? [] : [[id, value]]
        }),
      )
    },
    set: async (changes) => {
      write(mapas['pre-key'], changes['pre-key'])
      write(mapas.session, changes.session)
      write(mapas['sender-key'], changes['sender-key'])
      write(mapas['sender-key-memory'], changes['sender-key-memory'])
      write(mapas['app-state-sync-key'], changes['app-state-sync-key'])
      write(mapas['app-state-sync-version'], changes['app-state-sync-version'])
      write(mapas['lid-mapping'], changes['lid-mapping'])
      write(mapas['device-list'], changes['device-list'])
      write(mapas.tctoken, changes.tctoken)
      write(mapas['identity-key'], changes['identity-key'])
    },
  }
}
