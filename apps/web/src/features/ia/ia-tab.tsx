import { MessageCircle, RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { type ConfigLida, useConfigParaEditar } from '#shared/dados/config.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { ConfigMudou } from '#shared/ui/config-mudou.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { focarCampo } from './focar.ts'
import { useFormularioIa } from './use-formulario-ia.ts'

const Ajustes = lazy(async () => ({ default: (await import('./ajustes.tsx')).Ajustes }))
const Uso = lazy(async () => ({ default: (await import('./uso.tsx')).Uso }))
const TesteDaIa = lazy(async () => ({ default: (await import('./teste-da-ia.tsx')).TesteDaIa }))

export function IaTab() {
  const config = useConfigParaEditar()
  if (config.estado === 'lendo') return <Carregando />
  if (config.estado === 'falhou') return <ErrorState mensagem={config.mensagem} onTentar={config.tentar} />
  return <Ia config={config.lida} />
}

function Carregando() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando a IA" className="grid gap-5">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}

function Ia({ config }: { config: ConfigLida }) {
  const formulario = useFormularioIa(config)
  const { ia, alterado, salvando, erros, mudar, salvar } = formulario
  const guarda = useUnsavedGuard(alterado)
  useHotkeys({
    '$mod+s': () => {
      if (alterado) void salvar()
    },
  })
  return (
    <div>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-5">
          <Card>
            <Switch
              rotulo="Assistente de IA"
              dica="Quando ativa, responde fora das opções do menu e chama um atendente quando for preciso."
              ligado={ia.ativa}
              onMudar={(ativa) => mudar({ ativa })}
            />
            {erros['ativa'] !== undefined && (
              <p role="alert" className="mt-2 text-sm font-semibold text-danger-ink">
                {erros['ativa']}
              </p>
            )}
            <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
              <Button variante="ghost" className="min-h-11 lg:hidden" onClick={() => focarCampo('pergunta')}>
                <MessageCircle size={16} aria-hidden /> Testar a IA
              </Button>
              <Button className="min-h-11" disabled={salvando} onClick={() => void formulario.restaurar()}>
                <RotateCcw size={16} aria-hidden /> Restaurar
              </Button>
              <Button
                variante="primary"
                className="min-h-11 max-sm:flex-1"
                ocupado={salvando}
                onClick={() => void salvar()}
              >
                {salvando ? 'Salvando…' : 'Salvar'}
              </Button>
            </div>
          </Card>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <Ajustes formulario={formulario} />
          </Suspense>
        </div>
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <TesteDaIa ia={ia} alterado={alterado} />
        </Suspense>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <Uso fuso={config.config.atendimento.horario.fuso} />
        </Suspense>
      </div>
      <SaveBar
        alterado={alterado}
        salvando={salvando}
        onDescartar={formulario.descartar}
        onSalvar={() => void salvar()}
      />
      <SairSemSalvar guarda={guarda}>As alterações da IA ainda não foram salvas e serão perdidas.</SairSemSalvar>
      <ConfigMudou
        aberto={formulario.conflito}
        onRecarregar={formulario.aceitarServidor}
        onFechar={formulario.fecharConflito}
      />
    </div>
  )
}
