import type { VersionedConfig } from '@balcao/contract/entities/config'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Switch } from '#shared/ui/switch.tsx'

/** Saves the switch immediately, based on the version on screen. */
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

/** The rating question: its switch, for the dono, and a notice while it is off. Only over the server's configuration. */
export function AvaliacaoSwitch() {
  const { config, source, reload } = useConfig()
  if (config === null || source !== 'servidor') return null
  return <ServerSwitch config={config} reload={reload} />
}
