const MOSTRADAS = 10
const JANELA_MS = 60_000
/** Kinds tracked at the same time. Above this number the oldest window closes early. */
const TIPOS = 500

/** Two lines are of one kind when level, text and origin of the error are equal. */
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
  readonly passa: (linha: Linha) => boolean
  readonly fechar: () => void
}

/**
 * Limits repeated log lines, so that a recurring fault cannot fill the disk. The first ten lines of a kind pass per
 * minute; then `contar` receives the number of suppressed lines. The timers do not keep the process alive.
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
      // Lines without text and error are never counted as repeated.
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

/** Error messages are excluded, because they may contain a number that differs each time. */
function tipoDe({ nivel, frase, erro }: Linha): string {
  if (erro === null) return `${nivel}|${frase}`
  const codigo = 'code' in erro ? String(erro.code) : ''
  const quadro = /^\s+at .*$/m.exec(erro.stack ?? '')?.[0] ?? ''
  return `${nivel}|${frase}|${erro.name}|${codigo}|${quadro}`
}
