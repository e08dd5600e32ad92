import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Fonte } from '@balcao/contract/entities/fonte'
import { criarFonteRoute, excluirFonteRoute, relerFonteRoute } from '@balcao/contract/routes/ia-fontes'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { dropFonte, putFonte } from '#shared/ia/fontes.ts'
import type { WrittenFonte } from './fonte-values.ts'

function send(written: WrittenFonte): ReturnType<typeof call<typeof criarFonteRoute>> {
  if (written.tipo !== 'arquivo') {
    const input = { body: written, timeoutMs: TIMEOUT_ENVIO_MS }
    return call(criarFonteRoute, input)
  }
  const form = new FormData()
  if (written.titulo !== undefined) form.set('titulo', written.titulo)
  if (written.expiraEm !== undefined) form.set('expiraEm', written.expiraEm)
  // The file comes last: the server reads the fields before it.
  form.set('arquivo', written.arquivo)
  return call(criarFonteRoute, { form, timeoutMs: TIMEOUT_ENVIO_MS })
}

export function useFonteActions() {
  const client = useQueryClient()
  /** Another window may have deleted the source. */
  const fail = (error: unknown, { id, titulo }: Fonte): void => {
    if (!(error instanceof ApiError) || error.status !== 404) return void notify.erro(errorMessage(error))
    dropFonte(client, id)
    notify.info(`“${titulo}” já tinha sido excluída.`)
  }
  return {
    /** Rejects with `ApiError`. */
    create: async (written: WrittenFonte): Promise<Fonte> => {
      const { fonte } = await send(written)
      putFonte(client, fonte)
      notify.sucesso(`“${fonte.titulo}” está sendo lida.`)
      return fonte
    },
    reread: async (known: Fonte): Promise<void> => {
      try {
        putFonte(client, (await call(relerFonteRoute, { params: { id: known.id } })).fonte)
        notify.sucesso(`“${known.titulo}” está sendo lida de novo.`)
      } catch (error) {
        fail(error, known)
      }
    },
    remove: async (known: Fonte): Promise<void> => {
      try {
        await call(excluirFonteRoute, { params: { id: known.id } })
        dropFonte(client, known.id)
        notify.sucesso(`“${known.titulo}” foi excluída.`)
      } catch (error) {
        fail(error, known)
      }
    },
  }
}
