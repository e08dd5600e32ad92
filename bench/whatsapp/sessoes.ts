import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type AnfitriaoDeTeste, createAnfitriao, novaMensagem, novoDisco } from '@balcao/whatsapp/rede-falsa'
import { createWhatsapp } from '@balcao/whatsapp/connector'
import { createGuarda } from './guarda.ts'
import { ordemSchema, type Relato } from './ordens.ts'

/** The measured process: sessions only. The network, its phones and its customers run in the parent. */

// As the server does: a rejection that the library leaves unhandled when a connection is cut must not end the
// process.
process.on('unhandledRejection', () => undefined)
setFlagsFromString('--expose-gc')
const gc: unknown = runInNewContext('gc')
const [url = '', arquivo = ':memory:'] = process.argv.slice(2)
const guarda = createGuarda(arquivo)
const criar = createWhatsapp({ url, registrar: () => undefined, esperas: () => 0 })
const relatar = (relato: Relato): void => void process.send?.(relato)

interface Viva {
  readonly host: AnfitriaoDeTeste
  readonly conector: ReturnType<typeof criar>
}

const discos: ReturnType<typeof novoDisco>[] = []
let vivas: Viva[] = []

function viver(n: number, disco: ReturnType<typeof novoDisco>): Viva {
  const base = createAnfitriao(disco)
  const host: AnfitriaoDeTeste = {
    ...base,
    chaves: guarda.chavesDe(n),
    estado: async (estado) => {
      await base.estado(estado)
      if (estado.tipo === 'pareando') relatar({ tipo: 'codigo', n, qrCode: estado.qrCode })
      if (estado.tipo === 'conectado') relatar({ tipo: 'aberta', n })
    },
    receber: async (recebida) => {
      await base.receber(recebida)
      void conector.send(novaMensagem(recebida.endereco, recebida.texto))
    },
  }
  const conector = criar(host)
  return { host, conector }
}

/** `limpo`: collects garbage first, as V8 does when a process is idle. */
function medir(limpo: boolean): void {
  if (limpo && typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  relatar({ tipo: 'medida', rss, heap: heapUsed, cpuMs: (user + system) / 1_000 })
}

process.on('message', (bruta) => {
  const ordem = ordemSchema.parse(bruta)
  switch (ordem.faz) {
    case 'parear': {
      const disco = novoDisco()
      discos.push(disco)
      const viva = viver(discos.length - 1, disco)
      vivas.push(viva)
      void viva.conector.start()
      return
    }
    case 'fechar':
      void Promise.all(vivas.map(({ conector }) => conector.stop())).then(() => relatar({ tipo: 'fechadas' }))
      return
    case 'reabrir':
      vivas = discos.map((disco, n) => viver(n, disco))
      for (const { conector } of vivas) void conector.start()
      return
    case 'medir':
      return medir(true)
    case 'medirAssim':
      return medir(false)
    default:
      return ordem.faz satisfies never
  }
})
relatar({ tipo: 'pronto' })
