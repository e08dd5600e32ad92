import type { Linha } from '@balcao/contract/entities/linha'
import { atualizarLinhaRoute, excluirLinhaRoute } from '@balcao/contract/routes/linhas'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { refreshLinhas } from '#shared/conta/linhas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { readMainAgain } from './use-linha-form.ts'

interface LinhaQuestionProps {
  readonly linha: Linha
  readonly onClose: () => void
}

function countOf(conversas: number): string {
  return conversas === 1 ? '1 conversa aberta' : `${conversas} conversas abertas`
}

/** Asks again, with the count, when people still serve conversas of the line. */
export function DeleteLinha({ linha, onClose }: LinhaQuestionProps) {
  const client = useQueryClient()
  const [conversas, setConversas] = useState<number>()
  /** The dialog closes itself after each answer. The second question must stay. */
  const stays = useRef(false)
  const { id, nome } = linha

  async function remove(encerrar: boolean): Promise<void> {
    try {
      await call(excluirLinhaRoute, { params: { id }, query: encerrar ? { encerrar: 'true' } : {} })
    } catch (error) {
      if (error instanceof ApiError && error.codigo === 'linhaEmUso') {
        stays.current = true
        return setConversas(error.dados.conversas ?? 1)
      }
      return void notify.erro(`Erro ao excluir a linha: ${errorMessage(error)}`)
    }
    notify.sucesso(`Linha “${nome}” excluída.`)
    await refreshLinhas(client).catch(() => undefined)
  }

  const inUse = conversas !== undefined
  return (
    <ConfirmDialog
      // The second question is another dialog, so that screen readers read it.
      key={String(inUse)}
      open
      title={inUse ? `${nome} tem ${countOf(conversas)}` : `Excluir a linha ${nome}?`}
      confirmLabel={inUse ? 'Encerrar e excluir' : 'Excluir linha'}
      onConfirm={() => remove(inUse)}
      onClose={() => {
        if (!stays.current) onClose()
        stays.current = false
      }}
    >
      {inUse ? (
        <p>Ao excluir, elas são encerradas sem despedida. O histórico fica guardado.</p>
      ) : (
        <p>
          A conexão dela termina e ninguém mais é atendido por ela. As conversas ficam no histórico, com o nome da
          linha. Não é possível desfazer.
        </p>
      )}
    </ConfirmDialog>
  )
}

export function MakeMain({ linha: { id, nome, versao }, onClose }: LinhaQuestionProps) {
  const client = useQueryClient()
  async function confirm(): Promise<void> {
    try {
      await call(atualizarLinhaRoute, { params: { id }, body: { principal: true, versao } })
      notify.sucesso(`${nome} é a linha principal agora.`)
      readMainAgain(client)
    } catch (error) {
      notify.erro(
        error instanceof ApiError && error.codigo === 'conflito'
          ? 'A linha mudou em outra janela. Confira e tente de novo.'
          : `Erro ao salvar a linha: ${errorMessage(error)}`,
      )
    }
    await refreshLinhas(client).catch(() => undefined)
  }
  return (
    <ConfirmDialog
      open
      title={`Tornar ${nome} a linha principal?`}
      confirmLabel="Tornar principal"
      onConfirm={confirm}
      onClose={onClose}
    >
      A linha principal vem primeiro nas telas e é usada quando ninguém escolhe outra. Nada é desconectado.
    </ConfirmDialog>
  )
}
