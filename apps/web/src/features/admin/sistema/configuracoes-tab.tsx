import { LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_USUARIOS_POR_PLANO_PADRAO } from '@balcao/contract/constants'
import { type AdminConfiguracoes, adminConfiguracoesSchema, SUPORTE_INVALIDO } from '@balcao/contract/entities/admin'
import type { PoliticaSenha } from '@balcao/contract/entities/segundo-fator'
import { useState, type FormEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { useConfiguracoes, useSaveConfiguracoes } from '#features/admin/admin-queries.ts'
import { parseInteger } from '#features/admin/fields.tsx'
import { SentEmails } from './sent-emails.tsx'

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
          <ConfiguracoesForm stored={data} />
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
  readonly suporte: string
  readonly factor: boolean
  readonly politica: PoliticaSenha
}

const FIELDS = ['usuarios', 'mensagens', 'registro', 'emails', 'suporte', 'factor', 'politica'] as const

function toDraft(stored: AdminConfiguracoes): ConfiguracoesDraft {
  return {
    usuarios: String(stored.limiteUsuariosPorPlano),
    mensagens: String(stored.mensagensPorDia),
    registro: stored.permitirAutoRegistro,
    emails: stored.notificacoesEmail,
    suporte: stored.suporteWhatsapp,
    factor: stored.exigirSegundoFatorAdmin,
    politica: stored.politicaSenha,
  }
}

function changedSecurity({ factor, politica }: ConfiguracoesDraft, initial: ConfiguracoesDraft) {
  return {
    ...(factor === initial.factor ? {} : { exigirSegundoFatorAdmin: factor }),
    ...(politica === initial.politica ? {} : { politicaSenha: politica }),
  }
}

function useConfiguracoesForm(stored: AdminConfiguracoes) {
  const [edits, setEdits] = useState<Partial<ConfiguracoesDraft>>({})
  const initial = toDraft(stored)
  const current: ConfiguracoesDraft = { ...initial, ...edits }
  const isChanged = (field: keyof ConfiguracoesDraft): boolean => current[field] !== initial[field]
  const usuarios = parseInteger(current.usuarios, LIMITE_USUARIOS_POR_PLANO_PADRAO, USUARIOS_MAX)
  const mensagens = parseInteger(current.mensagens, LIMITE_MENSAGENS_DIA_PADRAO, MENSAGENS_MAX)
  const suporte = current.suporte.replace(/[\s()+-]/g, '')
  const suporteValid = adminConfiguracoesSchema.shape.suporteWhatsapp.safeParse(suporte).success
  const { mutateAsync, isPending } = useSaveConfiguracoes()
  const changed = FIELDS.some(isChanged)

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (usuarios === null || mensagens === null || !suporteValid) return
    try {
      // Sends only the changed fields, so that changes by another administrator are kept.
      if (changed)
        await mutateAsync({
          ...(isChanged('usuarios') ? { limiteUsuariosPorPlano: usuarios } : {}),
          ...(isChanged('mensagens') ? { mensagensPorDia: mensagens } : {}),
          ...(isChanged('registro') ? { permitirAutoRegistro: current.registro } : {}),
          ...(isChanged('emails') ? { notificacoesEmail: current.emails } : {}),
          ...(isChanged('suporte') ? { suporteWhatsapp: suporte } : {}),
          ...changedSecurity(current, initial),
        })
      setEdits((now) => unsentEdits(now, edits))
      notify.sucesso('Configurações salvas com sucesso!')
    } catch (error) {
      notifyError('Erro ao salvar alterações', error)
    }
  }
  return {
    current,
    changed,
    saving: isPending,
    valid: { usuarios: usuarios !== null, mensagens: mensagens !== null, suporte: suporteValid },
    change: (change: Partial<ConfiguracoesDraft>): void => setEdits((before) => ({ ...before, ...change })),
    discard: (): void => setEdits({}),
    save,
  }
}

const NO_SUPPORT = 'Sem um número, quem paga o plano Doação não consegue falar com ninguém.'
const NOT_AN_INTEGER = 'Informe um número inteiro, a partir de 1'

interface SupportFieldProps {
  readonly value: string
  readonly valid: boolean
  readonly onChange: (suporte: string) => void
}

function SupportField({ value, valid, onChange }: SupportFieldProps) {
  return (
    <TextField
      label="Suporte pelo WhatsApp"
      type="tel"
      inputMode="tel"
      placeholder="5511987654321"
      maxLength={25}
      value={value}
      hint={value.trim() === '' ? NO_SUPPORT : 'Contas no plano Doação falam com este número.'}
      error={valid ? undefined : SUPORTE_INVALIDO}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

const POLITICAS = [
  { valor: 'padrao', rotulo: 'Padrão: pelo menos 6 caracteres' },
  { valor: 'forte', rotulo: 'Forte: 15 caracteres, ou 8 com duas etapas' },
] as const

interface SecurityFieldsProps {
  readonly current: ConfiguracoesDraft
  readonly onChange: (change: Partial<ConfiguracoesDraft>) => void
}

function SecurityFields({ current, onChange }: SecurityFieldsProps) {
  return (
    <>
      <Switch
        label="Exigir verificação em duas etapas dos administradores"
        hint="Quem não tem, cadastra na próxima vez que abrir o painel."
        on={current.factor}
        onChange={(factor) => onChange({ factor })}
      />
      <Select
        label="Senhas novas"
        value={current.politica}
        options={POLITICAS}
        hint="As senhas que já existem continuam valendo."
        onChange={(politica) => onChange({ politica })}
      />
    </>
  )
}

function ConfiguracoesForm({ stored }: { stored: AdminConfiguracoes }) {
  const { current, changed, saving, valid, change, discard, save } = useConfiguracoesForm(stored)
  const guard = useUnsavedGuard(changed && !saving)
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <TextField
        label="Limite de usuários por plano"
        type="number"
        min={1}
        inputMode="numeric"
        value={current.usuarios}
        hint="Com este número de contas no plano Gratuito, novos cadastros pela página são recusados. Você ainda pode criar contas."
        error={valid.usuarios ? undefined : NOT_AN_INTEGER}
        onChange={({ currentTarget }) => change({ usuarios: currentTarget.value })}
      />
      <TextField
        label="Mensagens por dia"
        type="number"
        min={1}
        inputMode="numeric"
        value={current.mensagens}
        hint="O limite com que cada conta nova começa."
        error={valid.mensagens ? undefined : NOT_AN_INTEGER}
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
      <SupportField value={current.suporte} valid={valid.suporte} onChange={(suporte) => change({ suporte })} />
      <SecurityFields current={current} onChange={change} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          size="touch"
          busy={saving}
          disabled={!valid.usuarios || !valid.mensagens || !valid.suporte}
        >
          {saving ? 'Salvando…' : 'Salvar'}
        </Button>
        {changed && !saving && (
          <Button variant="ghost" size="touch" onClick={discard}>
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guard}>As alterações desta página ainda não foram salvas.</LeaveUnsavedDialog>
    </form>
  )
}
