import { LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_USUARIOS_POR_PLANO_PADRAO } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import { useState, type FormEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { unsentEdits } from '#shared/dados/restam.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/sair-sem-salvar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from './acoes.ts'
import { useConfiguracoes, useSaveConfiguracoes } from './dados.ts'
import { SentEmails } from './emails-enviados.tsx'
import { parseInteger } from './numero.ts'

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

function toDraft(guardadas: AdminConfiguracoes): ConfiguracoesDraft {
  return {
    usuarios: String(guardadas.limiteUsuariosPorPlano),
    mensagens: String(guardadas.mensagensPorDia),
    registro: guardadas.permitirAutoRegistro,
    emails: guardadas.notificacoesEmail,
  }
}

function ConfiguracoesForm({ guardadas }: { guardadas: AdminConfiguracoes }) {
  const [edicoes, setEdicoes] = useState<Partial<ConfiguracoesDraft>>({})
  const inicial = toDraft(guardadas)
  const atual: ConfiguracoesDraft = { ...inicial, ...edicoes }
  const mudar = (mudanca: Partial<ConfiguracoesDraft>): void => setEdicoes((antes) => ({ ...antes, ...mudanca }))
  const mudou = (campo: keyof ConfiguracoesDraft): boolean => atual[campo] !== inicial[campo]
  const usuarios = parseInteger(atual.usuarios, LIMITE_USUARIOS_POR_PLANO_PADRAO, USUARIOS_MAX)
  const mensagens = parseInteger(atual.mensagens, LIMITE_MENSAGENS_DIA_PADRAO, MENSAGENS_MAX)
  const { mutateAsync, isPending } = useSaveConfiguracoes()
  const alterado = FIELDS.some(mudou)
  const guarda = useUnsavedGuard(alterado && !isPending)

  const salvar = async (evento: FormEvent): Promise<void> => {
    evento.preventDefault()
    if (usuarios === null || mensagens === null) return
    try {
      // Sends only the changed fields, so that changes by another administrator are kept.
      if (alterado)
        await mutateAsync({
          ...(mudou('usuarios') ? { limiteUsuariosPorPlano: usuarios } : {}),
          ...(mudou('mensagens') ? { mensagensPorDia: mensagens } : {}),
          ...(mudou('registro') ? { permitirAutoRegistro: atual.registro } : {}),
          ...(mudou('emails') ? { notificacoesEmail: atual.emails } : {}),
        })
      setEdicoes((agora) => unsentEdits(agora, edicoes))
      notify.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      notifyError('Erro ao salvar alterações', erro)
    }
  }
  return (
    <form noValidate onSubmit={(evento) => void salvar(evento)} className="grid gap-5">
      <TextField
        label="Limite de usuários por plano"
        type="number"
        min={1}
        inputMode="numeric"
        value={atual.usuarios}
        hint="Com este número de contas em um plano, novos cadastros nele são recusados."
        error={usuarios === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => mudar({ usuarios: currentTarget.value })}
      />
      <TextField
        label="Mensagens por dia"
        type="number"
        min={1}
        inputMode="numeric"
        value={atual.mensagens}
        hint="O limite com que cada conta nova começa."
        error={mensagens === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => mudar({ mensagens: currentTarget.value })}
      />
      <Switch
        label="Permitir auto-registro"
        hint="Desligado, a página de cadastro fecha e só você cria contas."
        on={atual.registro}
        onChange={(registro) => mudar({ registro })}
      />
      <Switch
        label="Notificações por e-mail"
        hint="Desligado, só a redefinição de senha é enviada."
        on={atual.emails}
        onChange={(emails) => mudar({ emails })}
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
