import { hasBotSession } from '@balcao/contract/bot-status'
import { CONNECTORS, type ConectorTipo, connectorsPairedBy, hasNumber } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import type { Linha } from '@balcao/contract/entities/linha'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLinhas } from '#shared/conta/linhas.ts'
import { SupportLink } from '#shared/conta/support-link.tsx'
import { ConnectorOption } from '#shared/conexao/connector-option.tsx'
import { useSistemaStatus } from '#shared/data/server-status.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { Button } from '#shared/ui/button.tsx'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { type LinhaFormState, useEditLinha, useNewLinha } from './use-linha-form.ts'

/** The usual ones first. */
const OFFERED: readonly ConectorTipo[] = (['code', 'site', 'none', 'browser', 'simulated'] as const).flatMap(
  connectorsPairedBy,
)

/** All until the server has answered: it refuses an absent one anyway. */
function useInstalledConnectors(): readonly ConectorTipo[] {
  const { data } = useSistemaStatus()
  return OFFERED.filter((name) => (data?.conectores ?? CONECTORES).includes(name))
}

interface NewLinhaDialogProps {
  readonly setores: readonly Setor[]
  readonly onCreated: (linha: Linha) => void
  readonly onClose: () => void
}

export function NewLinhaDialog({ setores, onCreated, onClose }: NewLinhaDialogProps) {
  const linhas = useLinhas()
  const limite = useUsageStats().data?.limiteLinhas
  return (
    <Dialog open width="lg" title="Adicionar uma linha" onClose={onClose}>
      {limite !== undefined && linhas.length >= limite ? (
        <LimitReached limite={limite} onClose={onClose} />
      ) : (
        <NewLinhaForm setores={setores} onCreated={onCreated} onClose={onClose} />
      )}
    </Dialog>
  )
}

function LimitReached({ limite, onClose }: { readonly limite: number | undefined; readonly onClose: () => void }) {
  const allowed = limite === 1 ? '1 linha' : `até ${limite} linhas`
  return (
    <div className="grid gap-4">
      <Notice
        tone="info"
        title={limite === undefined ? 'Sua conta já tem todas as linhas que pode ter' : `Seu plano permite ${allowed}`}
      >
        Para ter mais um número ou o chat no site, fale com o administrador do sistema.
      </Notice>
      <div className="flex flex-wrap justify-end gap-2">
        <SupportLink className="btn btn-outline" />
        <Button onClick={onClose}>Entendi</Button>
      </div>
    </div>
  )
}

function NewLinhaForm({ setores, onCreated, onClose }: NewLinhaDialogProps) {
  const options = useInstalledConnectors()
  const form = useNewLinha(options[0] ?? 'simulador', onCreated)
  const { fields, limit, busy, change, create } = form
  if (limit !== null) return <LimitReached limite={limit.limite} onClose={onClose} />
  return (
    <LinhaForm
      {...{ form, setores }}
      onSubmit={create}
      connector={
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-semibold">Como os clientes escrevem nesta linha</legend>
          {options.map((name) => (
            <ConnectorOption
              key={name}
              name={name}
              checked={name === fields.conector}
              onPick={() => change({ conector: name })}
            />
          ))}
        </fieldset>
      }
    >
      <FormActions onCancel={onClose} busy={busy} submitLabel={busy ? 'Criando…' : 'Criar linha'} />
      <p className="text-sm text-muted">
        Dúvidas?{' '}
        <Link
          to="/ajuda/{-$tema}"
          params={{ tema: 'varios-numeros' }}
          target="_blank"
          className="font-semibold text-brand-ink underline"
        >
          Leia no manual
          <span className="sr-only"> (abre em outra aba)</span>
        </Link>
      </p>
    </LinhaForm>
  )
}

interface EditLinhaDialogProps {
  readonly linha: Linha
  readonly setores: readonly Setor[]
  readonly onClose: () => void
}

export function EditLinhaDialog({ linha, setores, onClose }: EditLinhaDialogProps) {
  const form = useEditLinha(linha, onClose)
  const { fields, errors, busy, conflict, changed, change, save } = form
  const { tryClose, question } = useLeaveGuard(changed, busy, onClose)
  return (
    <>
      <Dialog open title={`Editar ${linha.nome}`} onClose={tryClose} hold={changed || busy}>
        <LinhaForm
          {...{ form, setores }}
          onSubmit={save}
          connector={
            <ConnectorField linha={linha} value={fields.conector} error={errors['conector']} onChange={change} />
          }
        >
          {!linha.principal && (
            <Switch
              label="Linha ativa"
              hint="Desativada, ela não recebe nem envia mensagens. As conversas ficam guardadas."
              on={fields.ativa}
              onChange={(ativa) => change({ ativa })}
            />
          )}
          {conflict && (
            <Notice tone="espera" title="Esta linha mudou em outra janela">
              Os dados foram lidos de novo, com as suas mudanças por cima. Confira e salve.
            </Notice>
          )}
          <EditActions busy={busy} changed={changed} onClose={tryClose} />
        </LinhaForm>
      </Dialog>
      <LeaveUnsavedDialog guard={question}>As mudanças desta linha ainda não foram salvas.</LeaveUnsavedDialog>
    </>
  )
}

function EditActions({
  busy,
  changed,
  onClose,
}: Record<'busy' | 'changed', boolean> & { readonly onClose: () => void }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button size="touch" onClick={onClose}>
        Cancelar
      </Button>
      <Button type="submit" variant="primary" size="touch" busy={busy} disabled={!changed}>
        {busy ? 'Salvando…' : 'Salvar'}
      </Button>
    </div>
  )
}

interface ConnectorFieldProps {
  readonly linha: Linha
  readonly value: ConectorTipo
  readonly error: string | undefined
  readonly onChange: (changed: { conector: ConectorTipo }) => void
}

function ConnectorField({ linha, value, error, onChange }: ConnectorFieldProps) {
  const installed = useInstalledConnectors()
  const running = hasBotSession(linha.status)
  const stopHint = hasNumber(linha.conector)
    ? 'Para trocar, pare antes o bot desta linha.'
    : 'Para trocar, desative antes esta linha e salve.'
  return (
    <Select
      label="Conector"
      value={value}
      options={CONECTORES.filter((name) => name === value || installed.includes(name))
        .filter((name) => !linha.principal || hasNumber(name))
        .map((valor) => ({ valor, rotulo: CONNECTORS[valor].label }))}
      disabled={running}
      error={error}
      hint={running ? stopHint : CONNECTORS[value].settingsHelp}
      onChange={(conector) => onChange({ conector })}
    />
  )
}

interface LinhaFormProps {
  readonly form: LinhaFormState
  readonly setores: readonly Setor[]
  readonly onSubmit: () => Promise<void>
  readonly connector: ReactNode
  readonly children: ReactNode
}

const NO_SETOR = { valor: '', rotulo: 'Geral' }

function LinhaForm({ form: { fields, errors, change }, setores, onSubmit, connector, children }: LinhaFormProps) {
  useFocusInvalid(errors)
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {errors['geral'] !== undefined && <Notice tone="erro" title={errors['geral']} />}
      <TextField
        ref={initialFocus}
        label="Nome da linha"
        hint="Só a sua equipe vê, como “Delivery” ou “Oficina”."
        autoComplete="off"
        maxLength={40}
        value={fields.nome}
        error={errors['nome']}
        onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
      />
      {connector}
      <div>
        <p aria-hidden className="mb-1 text-sm font-semibold">
          Cor
        </p>
        <ColorChoice label="Cor da linha" cor={fields.cor} onChange={(cor) => change({ cor })} />
      </div>
      <Select
        label="Setor"
        hint="Quem pede um atendente por esta linha vai para este setor."
        value={fields.setor}
        error={errors['setor']}
        options={[
          NO_SETOR,
          ...setores.filter(({ id }) => id !== 'geral').map(({ id, nome }) => ({ valor: id, rotulo: nome })),
        ]}
        onChange={(setor) => change({ setor })}
      />
      {children}
    </form>
  )
}
