import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Fonte } from '@balcao/contract/entities/fonte'
import { criarFonteRoute, excluirFonteRoute, relerFonteRoute } from '@balcao/contract/routes/ia-fontes'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
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
  return {
    /** Rejects with `ApiError`. */
    create: async (written: WrittenFonte): Promise<void> => {
      const { fonte } = await send(written)
      putFonte(client, fonte)
      notify.sucesso(`“${fonte.titulo}” está sendo lida.`)
    },
    reread: async ({ id, titulo }: Fonte): Promise<void> => {
      try {
        putFonte(client, (await call(relerFonteRoute, { params: { id } })).fonte)
        notify.sucesso(`“${titulo}” está sendo lida de novo.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
    remove: async ({ id, titulo }: Fonte): Promise<void> => {
      try {
        await call(excluirFonteRoute, { params: { id } })
        dropFonte(client, id)
        notify.sucesso(`“${titulo}” foi excluída.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
  }
}
