import { MODELOS_IA, resolveModelo } from '@balcao/contract/editor-presets'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import type { IaForm } from './use-ia-form.ts'
import { useModels } from './use-models.ts'

export function ModelCard({ formulario: { ia, erros, mudar } }: { formulario: IaForm }) {
  const { data, isError, isFetching, refetch } = useModels()
  const lista = data === undefined || data.modelos.length === 0 ? MODELOS_IA : data.modelos
  const chosen = ia.modeloGemini
  const known = lista.some(({ id }) => id === chosen)
  const opcoes = lista.map(({ id, nome, recomendado }) => ({
    valor: id,
    rotulo: recomendado === true ? `${nome} (recomendado)` : nome,
  }))
  return (
    <div>
      <Select
        label="Modelo"
        name="modeloGemini"
        value={chosen}
        options={known ? opcoes : [{ valor: chosen, rotulo: `${chosen} (fora da lista)` }, ...opcoes]}
        error={erros['modeloGemini']}
        onChange={(modeloGemini) => mudar({ modeloGemini })}
        className="min-h-11"
        hint={<ModelHint escolhido={chosen} conhecido={known} />}
      />
      {isError && (
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-warn-ink">
          Não foi possível buscar a lista de modelos: estes são os conhecidos.
          <Button variant="ghost" size="sm" busy={isFetching} onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        </p>
      )}
    </div>
  )
}

function ModelHint({ escolhido, conhecido }: { escolhido: string; conhecido: boolean }) {
  const current = resolveModelo(escolhido)
  return (
    <>
      <code className="text-xs break-all">{escolhido}</code>
      {current !== escolhido && (
        <> foi aposentado pelo Google: quem responde no lugar dele é {<code className="text-xs">{current}</code>}.</>
      )}
      {current === escolhido &&
        !conhecido &&
        ' não está na lista: se o Google não o conhecer, outro responde no lugar.'}
    </>
  )
}
