import type { VersionedConfig } from '@balcao/contract/entities/config'
import { useState, type SubmitEvent, useRef } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento-conversa'
import { useQueryClient } from '@tanstack/react-query'
import { maskPhone } from '#shared/format.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

function useAvaliacaoSwitch(config: VersionedConfig, reload: () => Promise<unknown>) {
  const saveConfig = useSaveConfig()
  const [saving, setSaving] = useState<boolean | null>(null)
  const showOtherVersion = async (): Promise<void> => {
    try {
      await reload()
      notify.erro('A configuração mudou em outra janela. Confira e tente de novo.')
    } catch (error) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
    }
  }
  const change = async (ativa: boolean): Promise<void> => {
    if (saving !== null) return
    setSaving(ativa)
    try {
      await saveConfig({ ...config, atendimento: { ...config.atendimento, avaliacao: { ativa } } })
      notify.sucesso(ativa ? 'O bot volta a pedir a nota.' : 'O bot não pede mais a nota.')
    } catch (error) {
      if (error instanceof ApiError && error.codigo === 'versaoDesatualizada') await showOtherVersion()
      else notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
    } finally {
      setSaving(null)
    }
  }
  return { ativa: saving ?? config.atendimento.avaliacao.ativa, change }
}

function ServerSwitch({ config, reload }: { config: VersionedConfig; reload: () => Promise<unknown> }) {
  const { ativa, change } = useAvaliacaoSwitch(config, reload)
  const isDono = useUsuario().tipo !== 'operador'
  return (
    <>
      {isDono && (
        <div className="card p-4 sm:px-5">
          <Switch
            label="Pedir nota ao finalizar"
            on={ativa}
            onChange={(value) => void change(value)}
            hint="Depois da despedida, o bot pede ao cliente uma nota de 0 a 5."
          />
        </div>
      )}
      {!ativa && (
        <Notice tone="info" title="A pergunta da nota está desligada">
          Hoje o bot não pede nota no fim do atendimento. As que já vieram continuam aqui.
        </Notice>
      )}
    </>
  )
}

export function AvaliacaoSwitch() {
  const { config, source, reload } = useConfig()
  if (config === null || source !== 'servidor') return null
  return <ServerSwitch config={config} reload={reload} />
}

function withCountryCode(written: string): string {
  const digits = written.replace(/\D/g, '')
  return digits.length === 10 || digits.length === 11 ? `55${digits}` : digits
}

function maskTyped(written: string): string {
  return written.trimStart().startsWith('+') || written.replace(/\D/g, '').length > 11 ? written : maskPhone(written)
}

export function TestAvaliacao({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [telefone, setTelefone] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const refuse = (said: string): void => {
    setError(said)
    field.current?.focus()
  }
  const test = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (telefone.replace(/\D/g, '') === '') return refuse('Informe o telefone')
    setBusy(true)
    try {
      const { mensagem } = await call(testeAvaliacaoRoute, { body: { whatsappId: withCountryCode(telefone) } })
      onClose()
      notify.sucesso(mensagem)
      void client.invalidateQueries({ queryKey: ['atendimento', 'avaliacoes'] })
    } catch (cause) {
      setBusy(false)
      const detail = cause instanceof ApiError ? cause.dados.detalhes?.[0] : undefined
      refuse(detail?.mensagem ?? `${testeAvaliacaoRoute.fallbackError}: ${errorMessage(cause)}`)
    }
  }
  return (
    <Dialog open title="Testar avaliação" onClose={onClose}>
      <form noValidate onSubmit={(event) => void test(event)} className="grid gap-4">
        <p className="text-muted">
          Simula o fim de um atendimento com este contato: nada é enviado a ele. A próxima nota de 0 a 5 que ele mandar
          conta como avaliação. Se ele estiver conversando com o bot, essa conversa termina.
        </p>
        <TextField
          ref={field}
          label="Telefone com DDD"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="(11) 98765-4321"
          required
          maxLength={30}
          value={telefone}
          error={error}
          onChange={({ currentTarget }) => {
            setTelefone(maskTyped(currentTarget.value))
            setError(undefined)
          }}
        />
        <FormActions onCancel={onClose} busy={busy} submitLabel={busy ? 'Simulando…' : 'Simular pergunta'} />
      </form>
    </Dialog>
  )
}
