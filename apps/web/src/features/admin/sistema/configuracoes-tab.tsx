import { LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_USUARIOS_POR_PLANO_PADRAO } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import { useState, type FormEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { useConfiguracoes, useSaveConfiguracoes } from '#features/admin/admin-queries.ts'
import { SentEmails } from './sent-emails.tsx'
import { parseInteger } from '#features/admin/parse-integer.ts'

const USUARIOS_MAX = 1_000_000
const MENSAGENS_MAX = 1_000_000_000

export function ConfiguracoesTab() {
  const { data, error, refetch } = useConfiguracoes()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Card heading="Configurações do sistema" aria-busy={data === undefined}>
        {error !== null && data === undefined ? (
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <div className="grid gap-5">
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-12 w-full" />
          </div>
        ) : (
          <ConfiguracoesForm guardadas={data} />
        )}
      </Card>
      <SentEmails />
    </div>
  )
}

/** Raw field texts: numbers are parsed on save. */
interface ConfiguracoesDraft {
  readonly usuarios: string
  readonly mensagens: string
  readonly registro: boolean
  readonly emails: boolean
}

const FIELDS = ['usuarios', 'mensagens', 'registro', 'emails'] as const

function toDraft(stored: AdminConfiguracoes): ConfiguracoesDraft {
  return {
    usuarios: String(stored.limiteUsuariosPorPlano),
    mensagens: String(stored.mensagensPorDia),
    registro: stored.permitirAutoRegistro,
    emails: stored.notificacoesEmail,
  }
}

function ConfiguracoesForm({ guardadas }: { guardadas: AdminConfiguracoes }) {
  const [edits, setEdicoes] = useState<Partial<ConfiguracoesDraft>>({})
  const inicial = toDraft(guardadas)
  const current: ConfiguracoesDraft = { ...inicial, ...edits }
  const change = (mudanca: Partial<ConfiguracoesDraft>): void => setEdicoes((before) => ({ ...before, ...mudanca }))
  const changed = (field: keyof ConfiguracoesDraft): boolean => current[field] !== inicial[field]
  const usuarios = parseInteger(current.usuarios, LIMITE_USUARIOS_POR_PLANO_PADRAO, USUARIOS_MAX)
  const mensagens = parseInteger(current.mensagens, LIMITE_MENSAGENS_DIA_PADRAO, MENSAGENS_MAX)
  const { mutateAsync, isPending } = useSaveConfiguracoes()
  const alterado = FIELDS.some(changed)
  const guarda = useUnsavedGuard(alterado && !isPending)

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (usuarios === null || mensagens === null) return
    try {
      // Sends only the changed fields, so that changes by another administrator are kept.
      if (alterado)
        await mutateAsync({
          ...(changed('usuarios') ? { limiteUsuariosPorPlano: usuarios } : {}),
          ...(changed('mensagens') ? { mensagensPorDia: mensagens } : {}),
          ...(changed('registro') ? { permitirAutoRegistro: current.registro } : {}),
          ...(changed('emails') ? { notificacoesEmail: current.emails } : {}),
        })
      setEdicoes((now) => unsentEdits(now, edits))
      notify.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      notifyError('Erro ao salvar alterações', erro)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <TextField
        label="Limite de usuários por plano"
        type="number"
        min={1}
        inputMode="numeric"
        value={current.usuarios}
        hint="Com este número de contas em um plano, novos cadastros nele são recusados."
        error={usuarios === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => change({ usuarios: currentTarget.value })}
      />
      <TextField
        label="Mensagens por dia"
        type="number"
        min={1}
        inputMode="numeric"
        value={current.mensagens}
        hint="O limite com que cada conta nova começa."
        error={mensagens === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => change({ mensagens: currentTarget.value })}
      />
      <Switch
        label="Permitir auto-registro"
        hint="Desligado, a página de cadastro fecha e só você cria contas."
        on={current.registro}
        onChange={(registro) => change({ registro })}
      />
      <Switch
        label="Notificações por e-mail"
        hint="Desligado, só a redefinição de senha é enviada."
        on={current.emails}
        onChange={(emails) => change({ emails })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          className="min-h-11"
          busy={isPending}
          disabled={usuarios === null || mensagens === null}
        >
          {isPending ? 'Salvando…' : 'Salvar'}
        </Button>
        {alterado && !isPending && (
          <Button variant="ghost" className="min-h-11" onClick={() => setEdicoes({})}>
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guarda}>As alterações desta página ainda não foram salvas.</LeaveUnsavedDialog>
    </form>
  )
}
