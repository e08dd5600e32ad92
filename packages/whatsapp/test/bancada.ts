import type { Conector } from '#anfitriao.ts'
import { createWhatsapp, type WhatsappOptions } from '#connector.ts'
import { type AnfitriaoDeTeste, createAnfitriao, type Disco, type Ganchos, novoDisco } from './anfitriao-em-memoria.ts'
import { type Celular, createCelular } from './rede-falsa/celular.ts'
import { type ClienteFalso, createCliente } from './rede-falsa/cliente.ts'
import { createServidor, type ServidorFalso } from './rede-falsa/servidor.ts'

export interface Bancada {
  readonly servidor: ServidorFalso
  readonly celular: Celular
  readonly ana: ClienteFalso
  readonly disco: Disco
  readonly erros: string[]
  readonly viver: (ganchos?: Ganchos, opcoes?: Partial<WhatsappOptions>) => Vida
  readonly parear: (ganchos?: Ganchos, opcoes?: Partial<WhatsappOptions>) => Promise<Vida>
  readonly fechar: () => Promise<void>
}

export interface Vida {
  readonly host: AnfitriaoDeTeste
  readonly conector: Conector
}

export async function createBancada(): Promise<Bancada> {
  const servidor = await createServidor({ refs: 3 })
  const celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  const ana = createCliente(servidor, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
  const disco = novoDisco()
  const erros: string[] = []
  const vidas: Vida[] = []

  const viver: Bancada['viver'] = (ganchos, opcoes = {}) => {
    const host = createAnfitriao(disco, ganchos)
    const registrar = (_erro: unknown, oQue: string): void => void erros.push(oQue)
    const conector = createWhatsapp({ url: servidor.url, registrar, esperas: () => 10, ...opcoes })(host)
    const vida = { host, conector }
    vidas.push(vida)
    return vida
  }

  return {
    ...{ servidor, celular, ana, disco, erros, viver },
    parear: async (ganchos, opcoes) => {
      const vida = viver(ganchos, opcoes)
      await vida.conector.start()
      await celular.escanear((await vida.host.ate('pareando')).qrCode)
      await vida.host.ate('conectado')
      return vida
    },
    fechar: async () => {
      for (const { conector } of vidas) await conector.stop()
      await servidor.fechar()
    },
  }
}

export { novaMensagem } from './anfitriao-em-memoria.ts'
