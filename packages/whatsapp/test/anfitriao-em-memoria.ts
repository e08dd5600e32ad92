import { randomBytes } from 'node:crypto'
import type { AEnviar, Alteracao, Anfitriao, Chegada, Estado, Recebida } from '#anfitriao.ts'

/** State that survives the end of a process. */
export interface Disco {
  credenciais: unknown
  readonly chaves: Map<string, string>
  readonly chegadas: Map<string, string>
  readonly recebidas: Recebida[]
  readonly alteracoes: Alteracao[]
  readonly enviadas: AEnviar[]
  readonly arquivos: Buffer[]
  readonly escrevendo: Pick<Recebida, 'telefone' | 'endereco'>[]
  readonly entregas: { readonly idExterno: string; readonly estado: string }[]
}

export function novoDisco(): Disco {
  return {
    credenciais: null,
    chaves: new Map(),
    chegadas: new Map(),
    recebidas: [],
    alteracoes: [],
    enviadas: [],
    arquivos: [],
    escrevendo: [],
    entregas: [],
  }
}

/** Hooks around each write. A hook that throws is a failing store; one that never resolves is a crash. */
export interface Ganchos {
  readonly antesDeGravar?: (chegadas: readonly Chegada[]) => Promise<void> | void
  readonly depoisDeGravar?: (chegadas: readonly Chegada[]) => Promise<void> | void
  readonly antesDeLer?: (tipo: string) => Promise<void>
  readonly antesDeListar?: () => Promise<void>
  readonly antesDeReceber?: (mensagem: Recebida) => Promise<void> | void
  readonly antesDeConcluir?: (id: string) => void
}

export interface AnfitriaoDeTeste extends Anfitriao {
  readonly estados: readonly Estado[]
  /** Resolves with the first state of this type, past or future. */
  readonly ate: <T extends Estado['tipo']>(tipo: T) => Promise<Extract<Estado, { tipo: T }>>
}

/** A host for one process. Only `disco` survives it. */
export function createAnfitriao(disco: Disco, ganchos: Ganchos = {}): AnfitriaoDeTeste {
  const estados: Estado[] = []
  const ouvintes = new Set<() => void>()
  return {
    estados,
    ate: (tipo) =>
      new Promise((resolve) => {
        const conferir = (): void => {
          for (const estado of estados) {
            if (!eh(estado, tipo)) continue
            ouvintes.delete(conferir)
            resolve(estado)
            return
          }
        }
        ouvintes.add(conferir)
        conferir()
      }),
    credenciais: disco.credenciais,
    salvarCredenciais: async (credenciais) => {
      disco.credenciais = credenciais
    },
    estado: async (estado) => {
      estados.push(estado)
      for (const ouvinte of ouvintes) ouvinte()
    },
    receber: async (mensagem) => {
      await ganchos.antesDeReceber?.(mensagem)
      if (disco.recebidas.some(({ id }) => id === mensagem.id)) return
      disco.recebidas.push(mensagem)
    },
    alterar: async (alteracao) => {
      const { alvo } = alteracao
      const conhecida = [...disco.recebidas.map(({ id }) => id), ...disco.enviadas.map(({ idExterno }) => idExterno)]
      if (!conhecida.includes(alvo)) return false
      disco.alteracoes.push(alteracao)
      return true
    },
    chaves: {
      ler: async (tipo, ids) => {
        await ganchos.antesDeLer?.(tipo)
        return new Map(
          ids.flatMap((id) => {
            const valor = disco.chaves.get(`${tipo}|${id}`)
            return valor === undefined ? [] : [[id, valor]]
          }),
        )
      },
      gravar: async (mudancas, chegadas) => {
        await ganchos.antesDeGravar?.(chegadas)
        for (const { tipo, id, valor } of mudancas) {
          if (valor === null) disco.chaves.delete(`${tipo}|${id}`)
          else disco.chaves.set(`${tipo}|${id}`, valor)
        }
        for (const { id, valor } of chegadas) disco.chegadas.set(id, valor)
        await ganchos.depoisDeGravar?.(chegadas)
      },
      apagar: async () => disco.chaves.clear(),
      chegadas: async () => {
        await ganchos.antesDeListar?.()
        return [...disco.chegadas].map(([id, valor]) => ({ id, valor }))
      },
      concluir: async (id) => {
        ganchos.antesDeConcluir?.(id)
        disco.chegadas.delete(id)
      },
    },
    digitando: (cliente) => void disco.escrevendo.push(cliente),
    guardarMidia: async (bytes) => {
      disco.arquivos.push(Buffer.from(bytes))
      return { tipo: 'imagem', url: `/arquivo/${disco.arquivos.length - 1}` }
    },
    lerMidia: async (url) => {
      const bytes = disco.arquivos[Number(url.split('/').at(-1))]
      return bytes === undefined ? null : { bytes, mimeType: 'image/jpeg' }
    },
    citada: async (_, alvo) => disco.recebidas.find(({ id }) => id === alvo) ?? null,
    enviadas: async (de, ate) => disco.enviadas.filter(({ idExterno }) => idExterno >= de && idExterno <= ate),
    recibo: (idExterno, estado) => void disco.entregas.push({ idExterno, estado }),
  }
}

function eh<T extends Estado['tipo']>(estado: Estado, tipo: T): estado is Extract<Estado, { tipo: T }> {
  return estado.tipo === tipo
}

export function novaMensagem(endereco: string, texto: string): AEnviar {
  const tempo = Date.now().toString(16).padStart(12, '0')
  const acaso = randomBytes(9).toString('hex')
  const idExterno = `${tempo.slice(0, 8)}-${tempo.slice(8)}-7${acaso.slice(0, 3)}-8${acaso.slice(3, 6)}-${acaso.slice(6)}`
  return { idExterno, endereco, texto }
}
