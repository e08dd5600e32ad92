import type { Linha } from '@balcao/contract/entities/linha'
import { atualizarLinhaRoute } from '@balcao/contract/routes/linhas'
import { useQueryClient } from '@tanstack/react-query'
import { Power } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { patchLinha, refreshLinhas } from '#shared/conta/linhas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { isOutdated } from '#shared/form/outdated.ts'
import { Button } from '#shared/ui/button.tsx'

export function ActivateButton({ linha: { id, nome, versao } }: { readonly linha: Linha }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function activate(): Promise<void> {
    setBusy(true)
    try {
      const { linha } = await call(atualizarLinhaRoute, { params: { id }, body: { ativa: true, versao } })
      patchLinha(client, id, () => linha)
      notify.sucesso(`${nome} está ativa.`)
    } catch (error) {
      notify.erro(
        isOutdated(error)
          ? 'A linha mudou em outra janela. Tente de novo.'
          : `Erro ao salvar a linha: ${errorMessage(error)}`,
      )
      await refreshLinhas(client).catch(() => undefined)
    }
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={() => void activate()}>
      {!busy && <Power aria-hidden className="size-4" />} Ativar<span className="sr-only"> {nome}</span>
    </Button>
  )
}
