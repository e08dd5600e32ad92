import * as z from 'zod/mini'
import type { SessionHost } from '#ports/messaging.ts'

/** Link data stored beside the profile folder: when the phone was linked and up to when its messages were received. */
export interface Vinculo {
  readonly existe: () => boolean
  /** Seconds. Messages from this instant on may be missing; earlier ones are ignored. */
  readonly desde: () => number
  /** Stores the link once. Resolves with false when the write failed, so that the caller may retry. Never rejects. */
  readonly criar: () => Promise<boolean>
  /** Stores that everything up to this second was received. Writes only a later second; never rejects. */
  readonly avancar: (ate: number | null) => Promise<void>
  readonly esquecer: () => void
}

const vinculoSchema = z.object({ criadoEm: z.number(), ate: z.number() })
/** Messages reach the page slightly out of order. */
const MARGEM_S = 10 * 60

export function createVinculo(
  host: Pick<SessionHost, 'credenciais' | 'salvarCredenciais'>,
  registrar: (erro: unknown, oQue: string) => void,
): Vinculo {
  let vinculo = vinculoSchema.safeParse(host.credenciais).data ?? null
  let escrito: Promise<boolean> | null = vinculo === null ? null : Promise.resolve(true)
  return {
    existe: () => vinculo !== null,
    desde: () => Math.max(vinculo?.criadoEm ?? 0, (vinculo?.ate ?? 0) - MARGEM_S),
    criar: () => {
      const agora = Math.floor(Date.now() / 1_000)
      vinculo ??= { criadoEm: agora, ate: agora }
      escrito ??= host.salvarCredenciais(vinculo).then(
        () => true,
        (erro: unknown) => {
          registrar(erro, 'link not saved')
          escrito = null
          return false
        },
      )
      return escrito
    },
    avancar: async (ate) => {
      if (vinculo === null || ate === null || ate <= vinculo.ate) return
      vinculo = { ...vinculo, ate }
      await host.salvarCredenciais(vinculo).catch((erro: unknown) => registrar(erro, 'link not saved'))
    },
    esquecer: () => {
      vinculo = null
      escrito = null
    },
  }
}
