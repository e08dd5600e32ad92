/** How many lines of one kind a window shows as they are. */
const MOSTRADAS = 10
const JANELA_MS = 60_000
/** Kinds watched at once; beyond that the oldest one's window closes early. */
const TIPOS = 500

/** What makes two lines the same: how grave, what they say, and where the error beside them came from. */
export interface Linha {
  readonly nivel: number
  readonly frase: string
  readonly erro: Error | null
}

interface Janela {
  readonly linha: Linha
  readonly desde: Date
  readonly fim: NodeJS.Timeout
  vistas: number
}

interface Repetidas {
  /** Whether this line is to be written. */
  readonly passa: (linha: Linha) => boolean
  /** Closes every window now: before the process ends. */
  readonly fechar: () => void
}

/**
 * A fault that repeats a thousand times a minute must not fill the disk, nor bury the one line that explains it: of each kind
 * the first ten of a minute pass, and when the minute is over `contar` is told how many did not. No window holds the process.
 */
export function createRepetidas(
  contar: (linha: Linha, caladas: number, desde: Date) => void,
  janelaMs: number = JANELA_MS,
): Repetidas {
  const janelas = new Map<string, Janela>()

  const encerrar = (tipo: string): void => {
    const janela = janelas.get(tipo)
    if (janela === undefined) return
    janelas.delete(tipo)
    clearTimeout(janela.fim)
    if (janela.vistas > MOSTRADAS) contar(janela.linha, janela.vistas - MOSTRADAS, janela.desde)
  }

  return {
    passa: (linha) => {
      // Without words and without an error two lines have nothing in common.
      if (linha.frase === '' && linha.erro === null) return true
      const tipo = tipoDe(linha)
      const janela = janelas.get(tipo)
      if (janela !== undefined) {
        janela.vistas += 1
        return janela.vistas <= MOSTRADAS
      }
      if (janelas.size >= TIPOS) encerrar(janelas.keys().next().value ?? '')
      const fim = setTimeout(() => encerrar(tipo), janelaMs).unref()
      janelas.set(tipo, { linha, desde: new Date(), fim, vistas: 1 })
      return true
    },
    fechar: () => {
      for (const tipo of janelas.keys()) encerrar(tipo)
    },
  }
}

/** The message of an error is no part of it: it may carry a number, and then no two would be the same. */
function tipoDe({ nivel, frase, erro }: Linha): string {
  if (erro === null) return `${nivel}|${frase}`
  const codigo = 'code' in erro ? String(erro.code) : ''
  const quadro = /^\s+at .*$/m.exec(erro.stack ?? '')?.[0] ?? ''
  return `${nivel}|${frase}|${erro.name}|${codigo}|${quadro}`
}
