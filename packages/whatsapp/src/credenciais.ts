import { type AuthenticationCreds, BufferJSON, initAuthCreds, type SignalKeyStore } from 'baileys'
import type { Anfitriao, Chegada, MudancaChave } from './anfitriao.ts'

/** Values of the library as text and back: they hold bytes at any depth. */
export function emTexto(valor: unknown): string {
  return JSON.stringify(valor, BufferJSON.replacer)
}

export function deTexto(texto: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(texto, BufferJSON.reviver)
}

export interface Credenciais {
  readonly creds: AuthenticationCreds
  readonly novas: boolean
  /** Writes all of them; what changes while they are being written is written next. Never rejects. */
  readonly salvar: () => Promise<void>
}

/** The identity of one linked device: from the store, or newly made to be paired. */
export function abrirCredenciais(
  host: Pick<Anfitriao, 'credenciais' | 'salvarCredenciais'>,
  falhou: (erro: unknown) => void,
): Credenciais {
  const guardadas = host.credenciais
  const novas = typeof guardadas !== 'string'
  const creds: AuthenticationCreds = novas ? initAuthCreds() : deTexto(guardadas)
  let escrita: Promise<void> = Promise.resolve()
  return {
    creds,
    novas,
    salvar: () => {
      escrita = escrita.then(() => host.salvarCredenciais(emTexto(creds))).catch(falhou)
      return escrita
    },
  }
}

/** Our own kind of entry among those of a ratchet's step: a message that the step decrypted. */
export const CHEGADA = 'chegada'

/** The keys of one device in the host's store: each `set` is one transaction there, a decrypted message included. */
export function createChaves({ chaves }: Pick<Anfitriao, 'chaves'>): SignalKeyStore {
  return {
    get: async (tipo, ids) => {
      const achadas = await chaves.ler(tipo, ids)
      return Object.fromEntries([...achadas].map(([id, valor]) => [id, deTexto(valor)]))
    },
    set: async (mudancas) => {
      const gravadas: MudancaChave[] = []
      const chegadas: Chegada[] = []
      for (const [tipo, valores] of Object.entries<Record<string, unknown> | undefined>(mudancas)) {
        for (const [id, valor] of Object.entries(valores ?? {})) {
          if (tipo === CHEGADA) chegadas.push({ id, valor: String(valor) })
          else gravadas.push({ tipo, id, valor: valor === null || valor === undefined ? null : emTexto(valor) })
        }
      }
      await chaves.gravar(gravadas, chegadas)
    },
  }
}
