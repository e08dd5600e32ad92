import { ensaiarConfigRoute } from '@balcao/contract/routes/ensaio'
import { executarProvasRoute, gerarProvasRoute } from '@balcao/contract/routes/ia-provas'
import { bind, type BoundRoute } from '#http/handle.ts'
import type { TestIaDeps } from '#modules/ia/index.ts'
import { generateMissing } from './generate-provas.ts'
import { createRehearsals, type RehearsalDeps } from './rehearse.ts'
import { runExam } from './run-exam.ts'

export function rehearsalRoutes(deps: TestIaDeps & RehearsalDeps): BoundRoute[] {
  const rehearse = createRehearsals(deps)
  return [
    bind(gerarProvasRoute, ({ sessao }) => generateMissing(deps, sessao.contaId)),
    bind(executarProvasRoute, ({ sessao, body }) => runExam(deps, sessao, body.ia)),
    bind(ensaiarConfigRoute, ({ sessao, body }) => rehearse(sessao, body)),
  ]
}
