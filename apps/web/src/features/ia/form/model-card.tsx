import { MODELOS_IA, resolveModelo } from '@balcao/contract/presets/editor-presets'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import type { IaForm } from './use-ia-form.ts'
import { useModels } from './use-models.ts'

export function ModelCard({ form: { ia, errors, change } }: { form: IaForm }) {
  const { data, isError, isFetching, refetch } = useModels()
  const models = data === undefined || data.modelos.length === 0 ? MODELOS_IA : data.modelos
  const chosen = ia.modeloGemini
  const known = models.some(({ id }) => id === chosen)
  const options = models.map(({ id, nome, recomendado }) => ({
    valor: id,
    rotulo: recomendado === true ? `${nome} (recomendado)` : nome,
  }))
  return (
    <div>
      <Select
        label="Modelo"
        name="modeloGemini"
        value={chosen}
        options={known ? options : [{ valor: chosen, rotulo: `${chosen} (fora da lista)` }, ...options]}
        error={errors['modeloGemini']}
        onChange={(modeloGemini) => change({ modeloGemini })}
        className="min-h-11"
        hint={<ModelHint chosen={chosen} known={known} />}
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

function ModelHint({ chosen, known }: { chosen: string; known: boolean }) {
  const current = resolveModelo(chosen)
  return (
    <>
      <code className="text-xs break-all">{chosen}</code>
      {current !== chosen && (
        <> foi aposentado pelo Google: quem responde no lugar dele é {<code className="text-xs">{current}</code>}.</>
      )}
      {current === chosen && !known && ' não está na lista: se o Google não o conhecer, outro responde no lugar.'}
    </>
  )
}
