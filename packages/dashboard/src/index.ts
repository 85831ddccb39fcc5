export type {
  Dashboard,
  DashboardAnswer,
  DashboardOptions,
  DashboardRequest,
} from './dashboard.ts';
export { createDashboard } from './dashboard.ts';
export { toNodeHandler } from './node.ts';
