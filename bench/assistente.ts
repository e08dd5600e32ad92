import { measureGuard } from './assistente/guard.ts'
import { measureKnowledge } from './assistente/knowledge.ts'
import { measureReplay } from './assistente/replay.ts'
import type { Section } from './report.ts'

export const measureAssistente = async (): Promise<Section[]> => [
  await measureGuard(),
  await measureKnowledge(),
  await measureReplay(),
]
